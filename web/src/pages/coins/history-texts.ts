import { texts } from '../../language/language';
import type { CoinTransferKind } from '../../sdk';

interface HistoryTexts {
  coinHistory: string;
  payments: string;
  sections: string;
  buyCoins: string;
  balance: string;
  noChanges: string;
  noPayments: string;
  kinds: Record<CoinTransferKind, string>;
  reason: (reason: string) => string;
  toPayment: string;
  purchaseNumber: (id: number) => string;
  credited: string;
}

export const historyTexts = texts<HistoryTexts>({
  en: {
    coinHistory: 'Coin history',
    payments: 'My payments',
    sections: 'Your coins',
    buyCoins: 'Buy coins',
    balance: 'Your balance:',
    noChanges: 'Your coins have not changed yet.',
    noPayments: 'You have not started a payment yet.',
    kinds: {
      credit: 'Coins from a payment',
      refund: 'Coins of money that was returned',
      purchase: 'Bought in the shop',
      adjustment: 'Changed by the staff',
      rename: 'New name of a character',
      return: 'Coins back: not delivered',
    },
    reason: (reason) => `Reason: ${reason}`,
    toPayment: 'To the payment',
    purchaseNumber: (id) => `Purchase no. ${id}`,
    credited: 'Credited:',
  },
  pt: {
    coinHistory: 'Extrato de moedas',
    payments: 'Meus pagamentos',
    sections: 'Suas moedas',
    buyCoins: 'Comprar moedas',
    balance: 'Seu saldo:',
    noChanges: 'Suas moedas ainda não mudaram.',
    noPayments: 'Você ainda não começou nenhum pagamento.',
    kinds: {
      credit: 'Moedas de um pagamento',
      refund: 'Moedas de dinheiro que foi devolvido',
      purchase: 'Compra na loja',
      adjustment: 'Mudança feita pela equipe',
      rename: 'Novo nome de um personagem',
      return: 'Moedas de volta: não entregue',
    },
    reason: (reason) => `Motivo: ${reason}`,
    toPayment: 'Ver o pagamento',
    purchaseNumber: (id) => `Compra nº ${id}`,
    credited: 'Creditadas:',
  },
  es: {
    coinHistory: 'Historial de monedas',
    payments: 'Mis pagos',
    sections: 'Tus monedas',
    buyCoins: 'Comprar monedas',
    balance: 'Tu saldo:',
    noChanges: 'Tus monedas todavía no han cambiado.',
    noPayments: 'Todavía no has empezado ningún pago.',
    kinds: {
      credit: 'Monedas de un pago',
      refund: 'Monedas de dinero que se devolvió',
      purchase: 'Compra en la tienda',
      adjustment: 'Cambio hecho por el equipo',
      rename: 'Nuevo nombre de un personaje',
      return: 'Monedas devueltas: no se entregó',
    },
    reason: (reason) => `Motivo: ${reason}`,
    toPayment: 'Ver el pago',
    purchaseNumber: (id) => `Compra n.º ${id}`,
    credited: 'Abonadas:',
  },
});
