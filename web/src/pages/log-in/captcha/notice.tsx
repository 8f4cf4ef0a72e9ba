// What a form shows about its captcha.

import { texts, useTexts } from '../../../language/language';
import { Notice } from '../../../look/controls';
import { Icon } from '../../../look/icon';
import type { Captcha } from './captcha';
import './captcha.css';

const captcha = texts({
  en: {
    solving: 'Your browser solves a small puzzle, which keeps programs out. You need to do nothing.',
    solved: 'The check against automatic registrations is done.',
    provider:
      'This site checks with a captcha of a provider that you are a person, and this page does not show it yet. Ask the staff of the site for help.',
    failed:
      'Your browser could not solve the check against automatic registrations. Try again, or use a newer browser.',
  },
  pt: {
    solving: 'Seu navegador resolve um pequeno desafio, que afasta programas. Você não precisa fazer nada.',
    solved: 'A verificação contra cadastros automáticos está pronta.',
    provider:
      'Este site verifica com o captcha de um provedor que você é uma pessoa, e esta página ainda não o mostra. Peça ajuda à equipe do site.',
    failed: 'Seu navegador não conseguiu resolver a verificação. Tente de novo, ou use um navegador mais novo.',
  },
  es: {
    solving: 'Tu navegador resuelve un pequeño reto que mantiene fuera a los programas. No tienes que hacer nada.',
    solved: 'La comprobación contra registros automáticos está lista.',
    provider:
      'Este sitio comprueba con el captcha de un proveedor que eres una persona, y esta página todavía no lo muestra. Pide ayuda al equipo del sitio.',
    failed: 'Tu navegador no pudo resolver la comprobación. Inténtalo de nuevo o usa un navegador más reciente.',
  },
});

export function CaptchaNotice({ captcha: { state } }: { captcha: Captcha }) {
  const t = useTexts(captcha);
  switch (state.step) {
    case 'idle':
      return null;
    case 'solving':
      return (
        <div class="captcha faint">
          <span id="captcha-text">{t.solving}</span>
          <progress aria-labelledby="captcha-text" value={state.progress} max={1} />
        </div>
      );
    case 'solved':
      return (
        <p class="row faint">
          <Icon name="check" size={16} /> {t.solved}
        </p>
      );
    case 'provider':
      return <Notice look="warning">{t.provider}</Notice>;
    case 'failed':
      return <Notice look="warning">{t.failed}</Notice>;
  }
}
