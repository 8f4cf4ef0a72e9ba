// Values in localStorage that several components, and several tabs, read and change.

import { useEffect, useState } from 'preact/hooks';

const changed = new EventTarget();

export class Stored<Value> {
  private readonly key: string;

  constructor(key: string) {
    this.key = key;
  }

  read(): Value | undefined {
    const text = localStorage.getItem(this.key);
    return text === null ? undefined : (JSON.parse(text) as Value);
  }

  /** Undefined removes the value. */
  write(value: Value | undefined): void {
    if (value === undefined) localStorage.removeItem(this.key);
    else localStorage.setItem(this.key, JSON.stringify(value));
    changed.dispatchEvent(new Event(this.key));
  }

  /** The stored value, as a hook: the component is drawn again when this tab or another one changes it. */
  use(): Value | undefined {
    const [value, setValue] = useState(() => this.read());
    useEffect(() => {
      const update = (): void => setValue(this.read());
      const updateFromOtherTab = (event: StorageEvent): void => {
        if (event.key === this.key || event.key === null) update();
      };
      update();
      changed.addEventListener(this.key, update);
      addEventListener('storage', updateFromOtherTab);
      return () => {
        changed.removeEventListener(this.key, update);
        removeEventListener('storage', updateFromOtherTab);
      };
    }, [this.key]);
    return value;
  }
}
