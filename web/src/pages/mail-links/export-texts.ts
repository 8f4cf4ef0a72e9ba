import { texts } from '../../language/language';

interface ExportTexts {
  summary: string;
  part: string;
  entries: string;
  showAll: string;
  file: string;
  madeAt: string;
  fileText: string;
  download: string;
  keepSafe: string;
  /** By the name of the list in the document. */
  parts: Record<string, string>;
}

export const exportTexts = texts<ExportTexts>({
  en: {
    summary: 'What the site knows about you',
    part: 'Data',
    entries: 'Entries',
    showAll: 'Show everything here',
    file: 'Your file',
    madeAt: 'Collected',
    fileText: 'A JSON document: text that programs and people can read.',
    download: 'Download the file',
    keepSafe:
      'It has personal data. Keep it in a safe place. The link of the mail ends ten minutes after its first use.',
    parts: {
      sessions: 'Sessions: devices and networks',
      characters: 'Characters',
      deaths: 'Deaths of your characters',
      payments: 'Payments',
      coin_entries: 'Changes of your coins',
      purchases: 'Purchases',
      posts: 'Posts that you wrote',
      mails: 'Mails of the site',
      notes_of_the_team: 'Notes of the staff about you',
      actions_of_the_account: 'What you did on the site',
      actions_about_the_account: 'What others did with your account',
    },
  },
  pt: {
    summary: 'O que o site sabe sobre você',
    part: 'Dados',
    entries: 'Entradas',
    showAll: 'Mostrar tudo aqui',
    file: 'Seu arquivo',
    madeAt: 'Reunido em',
    fileText: 'Um documento JSON: texto que programas e pessoas conseguem ler.',
    download: 'Baixar o arquivo',
    keepSafe:
      'Ele tem dados pessoais. Guarde-o em um lugar seguro. O link do e-mail termina dez minutos depois do primeiro uso.',
    parts: {
      sessions: 'Sessões: aparelhos e redes',
      characters: 'Personagens',
      deaths: 'Mortes dos seus personagens',
      payments: 'Pagamentos',
      coin_entries: 'Mudanças das suas moedas',
      purchases: 'Compras',
      posts: 'Notícias que você escreveu',
      mails: 'E-mails do site',
      notes_of_the_team: 'Notas da equipe sobre você',
      actions_of_the_account: 'O que você fez no site',
      actions_about_the_account: 'O que outros fizeram com a sua conta',
    },
  },
  es: {
    summary: 'Lo que el sitio sabe de ti',
    part: 'Datos',
    entries: 'Entradas',
    showAll: 'Mostrar todo aquí',
    file: 'Tu archivo',
    madeAt: 'Reunido el',
    fileText: 'Un documento JSON: texto que pueden leer programas y personas.',
    download: 'Descargar el archivo',
    keepSafe:
      'Tiene datos personales. Guárdalo en un lugar seguro. El enlace del correo termina diez minutos después de su primer uso.',
    parts: {
      sessions: 'Sesiones: dispositivos y redes',
      characters: 'Personajes',
      deaths: 'Muertes de tus personajes',
      payments: 'Pagos',
      coin_entries: 'Cambios de tus monedas',
      purchases: 'Compras',
      posts: 'Noticias que escribiste',
      mails: 'Correos del sitio',
      notes_of_the_team: 'Notas del equipo sobre ti',
      actions_of_the_account: 'Lo que hiciste en el sitio',
      actions_about_the_account: 'Lo que otros hicieron con tu cuenta',
    },
  },
});
