// The name of a character in a form.

import { useTexts } from '../../language/language';
import { TextField } from '../../look/controls';
import { characters } from './texts';

interface NameFieldProps {
  label: string;
  value: string;
  onValue: (value: string) => void;
  /** In a dialog: the field has the focus when the dialog opens. */
  autofocus?: boolean;
}

/** The browser checks the rules of the API before the form is sent. The game may allow fewer names; then the API refuses. */
export function NameField(props: NameFieldProps) {
  const t = useTexts(characters);
  return (
    <TextField
      {...props}
      hint={t.nameRules}
      required
      minLength={3}
      maxLength={29}
      pattern="[A-Za-z0-9_]+([ '\-][A-Za-z0-9_]+)*"
      title={t.nameRules}
      autocomplete="off"
      spellcheck={false}
    />
  );
}
