import { texts } from '../../language/language';

export const recoveryTexts = texts({
  en: {
    forgotTitle: 'Forgotten password',
    forgotText: 'Enter the e-mail address of your account. We send you a link to set a new password.',
    email: 'E-mail address',
    sendLink: 'Send the link',
    toLogIn: 'To the log-in',
    sentTitle: 'Check your mail',
    sent: (email: string) =>
      `If an account has confirmed ${email}, a mail with a link is on its way. The link is valid for an hour.`,
    noMail:
      'No mail after some minutes? Look into the spam folder, or try the address that you used at the registration.',
    otherAddress: 'Use another address',
    noAddressTitle: 'No access to your mail?',
    noAddress:
      'Only a confirmed address can receive the link. If you never confirmed it, or cannot read it any more, ask the staff of the site.',
    resetTitle: 'New password',
    resetText: 'All devices are logged out, and you log in with the new password.',
    newPassword: 'New password',
    setPassword: 'Set the password',
    resetDone: 'Your new password is set. All sessions have ended.',
    logIn: 'Log in',
    newLink: 'Ask for a new link',
    forgotten: 'Do you remember your old password?',
    forgottenText: 'It stays valid until you set a new one. You can close this page and log in.',
  },
  pt: {
    forgotTitle: 'Esqueci a senha',
    forgotText: 'Digite o endereço de e-mail da sua conta. Enviamos um link para definir uma nova senha.',
    email: 'Endereço de e-mail',
    sendLink: 'Enviar o link',
    toLogIn: 'Voltar para a entrada',
    sentTitle: 'Veja seu e-mail',
    sent: (email) => `Se uma conta confirmou ${email}, um e-mail com um link está a caminho. O link vale por uma hora.`,
    noMail:
      'Nenhum e-mail depois de alguns minutos? Olhe a pasta de spam, ou tente o endereço que você usou no cadastro.',
    otherAddress: 'Usar outro endereço',
    noAddressTitle: 'Sem acesso ao seu e-mail?',
    noAddress:
      'Só um endereço confirmado pode receber o link. Se você nunca o confirmou, ou não consegue mais lê-lo, fale com a equipe do site.',
    resetTitle: 'Nova senha',
    resetText: 'Todos os aparelhos são desconectados, e você entra com a nova senha.',
    newPassword: 'Nova senha',
    setPassword: 'Definir a senha',
    resetDone: 'Sua nova senha está definida. Todas as sessões terminaram.',
    logIn: 'Entrar',
    newLink: 'Pedir um novo link',
    forgotten: 'Você se lembra da senha antiga?',
    forgottenText: 'Ela vale até você definir uma nova. Você pode fechar esta página e entrar.',
  },
  es: {
    forgotTitle: 'Contraseña olvidada',
    forgotText: 'Escribe el correo de tu cuenta. Te enviamos un enlace para elegir una contraseña nueva.',
    email: 'Correo electrónico',
    sendLink: 'Enviar el enlace',
    toLogIn: 'Volver a la entrada',
    sentTitle: 'Mira tu correo',
    sent: (email) =>
      `Si una cuenta ha confirmado ${email}, un correo con un enlace está en camino. El enlace vale una hora.`,
    noMail:
      '¿Ningún correo después de unos minutos? Mira la carpeta de spam, o prueba la dirección que usaste al registrarte.',
    otherAddress: 'Usar otra dirección',
    noAddressTitle: '¿Sin acceso a tu correo?',
    noAddress:
      'Solo una dirección confirmada puede recibir el enlace. Si nunca la confirmaste, o ya no puedes leerla, pregunta al equipo del sitio.',
    resetTitle: 'Contraseña nueva',
    resetText: 'Se cierra la sesión en todos los dispositivos, y entras con la contraseña nueva.',
    newPassword: 'Contraseña nueva',
    setPassword: 'Guardar la contraseña',
    resetDone: 'Tu contraseña nueva está guardada. Todas las sesiones han terminado.',
    logIn: 'Entrar',
    newLink: 'Pedir un enlace nuevo',
    forgotten: '¿Recuerdas tu contraseña anterior?',
    forgottenText: 'Sigue siendo válida hasta que elijas otra. Puedes cerrar esta página y entrar.',
  },
});
