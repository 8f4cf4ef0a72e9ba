import { texts } from '../../language/language';
import type { Role } from '../../sdk';

interface AccountTexts extends Record<'overview' | 'security' | 'sessions' | 'data', string> {
  title: string;
  deletedAt: string;
  keepIt: string;
  since: string;
  email: string;
  verified: string;
  notVerified: string;
  secondFactor: string;
  on: string;
  enable: string;
  rolesLabel: string;
  roles: Record<Role, string>;
  verifyTitle: string;
  changeEmail: string;
  coins: string;
  debt: string;
  buyCoins: string;
  purchases: string;
  coinHistory: string;
}

export const accountTexts = texts<AccountTexts>({
  en: {
    title: 'Your account',
    overview: 'Overview',
    security: 'Security',
    sessions: 'Sessions',
    data: 'Your data',
    deletedAt: 'This account will be deleted on',
    keepIt: 'Keep it',
    since: 'Here since',
    email: 'E-mail address',
    verified: 'Confirmed',
    notVerified: 'Not confirmed',
    secondFactor: 'Second factor',
    on: 'Enabled',
    enable: 'Enable',
    rolesLabel: 'Roles',
    roles: { player: 'Player', editor: 'Editor', merchant: 'Merchant', admin: 'Administrator', game: 'Game server' },
    verifyTitle: 'Confirm your e-mail address',
    changeEmail: 'Another e-mail address',
    coins: 'Your coins',
    debt: 'The balance is negative after a refund. You can buy offers when it is zero or more.',
    buyCoins: 'Buy coins',
    purchases: 'Your purchases',
    coinHistory: 'Coin history',
  },
  pt: {
    title: 'Sua conta',
    overview: 'Visão geral',
    security: 'Segurança',
    sessions: 'Sessões',
    data: 'Seus dados',
    deletedAt: 'Esta conta será excluída em',
    keepIt: 'Manter',
    since: 'Aqui desde',
    email: 'Endereço de e-mail',
    verified: 'Confirmado',
    notVerified: 'Não confirmado',
    secondFactor: 'Segundo fator',
    on: 'Ativado',
    enable: 'Ativar',
    rolesLabel: 'Papéis',
    roles: { player: 'Jogador', editor: 'Redação', merchant: 'Loja', admin: 'Administração', game: 'Servidor do jogo' },
    verifyTitle: 'Confirme seu endereço de e-mail',
    changeEmail: 'Outro endereço de e-mail',
    coins: 'Suas moedas',
    debt: 'O saldo está negativo depois de um reembolso. Você pode comprar ofertas quando ele for zero ou mais.',
    buyCoins: 'Comprar moedas',
    purchases: 'Suas compras',
    coinHistory: 'Extrato de moedas',
  },
  es: {
    title: 'Tu cuenta',
    overview: 'Resumen',
    security: 'Seguridad',
    sessions: 'Sesiones',
    data: 'Tus datos',
    deletedAt: 'Esta cuenta se eliminará el',
    keepIt: 'Conservarla',
    since: 'Aquí desde',
    email: 'Correo electrónico',
    verified: 'Confirmado',
    notVerified: 'Sin confirmar',
    secondFactor: 'Segundo factor',
    on: 'Activado',
    enable: 'Activar',
    rolesLabel: 'Roles',
    roles: {
      player: 'Jugador',
      editor: 'Redacción',
      merchant: 'Tienda',
      admin: 'Administración',
      game: 'Servidor del juego',
    },
    verifyTitle: 'Confirma tu correo',
    changeEmail: 'Otro correo electrónico',
    coins: 'Tus monedas',
    debt: 'El saldo es negativo después de un reembolso. Puedes comprar ofertas cuando sea cero o más.',
    buyCoins: 'Comprar monedas',
    purchases: 'Tus compras',
    coinHistory: 'Historial de monedas',
  },
});
