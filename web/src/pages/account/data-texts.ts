import { texts } from '../../language/language';

export const dataTexts = texts({
  en: {
    exportTitle: 'A copy of your data',
    exportText:
      'You get a file with everything that the site knows about you. Its link comes by mail, and is valid for a week.',
    password: 'Your password',
    request: 'Ask for the copy',
    exportRequested: (email: string) => `Your data is being collected. A mail with the link comes to ${email}.`,
    verifyFirst: 'The link goes to your e-mail address. Confirm it first.',
    toVerify: 'Confirm the address',
    deleteTitle: 'Delete the account',
    deleteText:
      'Your account is deleted after some days. Until then you can cancel it. After that, nobody can restore it.',
    consequences: [
      'Your name, your address and your texts are erased.',
      'Your characters leave their guilds. The leadership passes to another member.',
      'Your coins are lost. Payments and purchases stay without your name.',
    ],
    sure: 'I want to delete my account',
    delete: 'Delete the account',
    staffStays:
      'An account with a role in the staff cannot be deleted. Ask an administrator to revoke your roles first.',
    scheduled: 'This account will be deleted on',
    untilThen:
      'Until then, everything works as before. You have also received a mail with a link that cancels the deletion.',
    keep: 'Keep the account',
    kept: 'Your account stays.',
  },
  pt: {
    exportTitle: 'Uma cópia dos seus dados',
    exportText:
      'Você recebe um arquivo com tudo o que o site sabe sobre você. O link vem por e-mail e vale por uma semana.',
    password: 'Sua senha',
    request: 'Pedir a cópia',
    exportRequested: (email) => `Seus dados estão sendo reunidos. Um e-mail com o link vai para ${email}.`,
    verifyFirst: 'O link vai para o seu endereço de e-mail. Confirme-o primeiro.',
    toVerify: 'Confirmar o endereço',
    deleteTitle: 'Excluir a conta',
    deleteText:
      'Sua conta é excluída depois de alguns dias. Até lá, você pode cancelar. Depois, ninguém pode recuperá-la.',
    consequences: [
      'Seu nome, seu endereço e seus textos são apagados.',
      'Seus personagens saem das guildas. A liderança passa para outro membro.',
      'Suas moedas são perdidas. Pagamentos e compras ficam sem o seu nome.',
    ],
    sure: 'Quero excluir minha conta',
    delete: 'Excluir a conta',
    staffStays:
      'Uma conta com um papel na equipe não pode ser excluída. Peça antes a um administrador que revogue seus papéis.',
    scheduled: 'Esta conta será excluída em',
    untilThen: 'Até lá, tudo funciona como antes. Você também recebeu um e-mail com um link que cancela a exclusão.',
    keep: 'Manter a conta',
    kept: 'Sua conta fica.',
  },
  es: {
    exportTitle: 'Una copia de tus datos',
    exportText: 'Recibes un archivo con todo lo que el sitio sabe de ti. Su enlace llega por correo y vale una semana.',
    password: 'Tu contraseña',
    request: 'Pedir la copia',
    exportRequested: (email) => `Se están reuniendo tus datos. Un correo con el enlace llega a ${email}.`,
    verifyFirst: 'El enlace va a tu correo. Confírmalo primero.',
    toVerify: 'Confirmar el correo',
    deleteTitle: 'Eliminar la cuenta',
    deleteText:
      'Tu cuenta se elimina después de unos días. Hasta entonces puedes cancelarlo. Después nadie puede recuperarla.',
    consequences: [
      'Se borran tu nombre, tu correo y tus textos.',
      'Tus personajes dejan sus gremios. El liderazgo pasa a otro miembro.',
      'Se pierden tus monedas. Los pagos y las compras quedan sin tu nombre.',
    ],
    sure: 'Quiero eliminar mi cuenta',
    delete: 'Eliminar la cuenta',
    staffStays:
      'Una cuenta con un rol del equipo no se puede eliminar. Antes pide a un administrador que te quite los roles.',
    scheduled: 'Esta cuenta se eliminará el',
    untilThen:
      'Hasta entonces, todo funciona como antes. También has recibido un correo con un enlace que cancela la eliminación.',
    keep: 'Conservar la cuenta',
    kept: 'Tu cuenta se queda.',
  },
});
