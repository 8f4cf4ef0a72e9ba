import { texts } from '../../../language/language';

export const statusTexts = texts({
  en: {
    meanings: {
      created: 'The bank has not accepted the charge yet. If it stays like this, check the connection to the bank.',
      pending: 'It can be paid. Nothing to do.',
      paid: 'Exactly the amount arrived in time. Nothing to do.',
      paid_late: 'Exactly the amount arrived after the payment expired. It is credited. Nothing to do.',
      underpaid:
        'Less arrived. It is credited at the rate of the currency, without the discount of a package. Refund it if the player wants that.',
      overpaid: 'More arrived, or it was paid twice. All is credited. Refund the excess if the player wants that.',
      expired: 'Nothing arrived in time. Money that arrives later still counts.',
      cancelled: 'The player cancelled it. Money that arrives later still counts.',
      failed:
        'The bank refused the charge, or was not reachable while it could be paid. The player can start another payment.',
      review:
        'Money arrived that is not credited before you have checked it: the receipt has the reason. Refund it here, or give the coins by hand in the account. Money in another currency can only be returned at the bank.',
      refund_pending: 'Money is being sent back. Its coins are already removed. Nothing to do.',
      partially_refunded: 'A part of the money was sent back.',
      refunded: 'All the money was sent back.',
      reversed:
        'The payment scheme took back at least a part, such as after a report of fraud. Its coins are removed. Contact the player: the account may owe coins.',
    },
  },
  pt: {
    meanings: {
      created: 'O banco ainda não aceitou a cobrança. Se continuar assim, verifique a conexão com o banco.',
      pending: 'Pode ser pago. Não há nada a fazer.',
      paid: 'Chegou exatamente o valor, a tempo. Não há nada a fazer.',
      paid_late: 'Chegou exatamente o valor depois do prazo. Foi creditado. Não há nada a fazer.',
      underpaid:
        'Chegou menos. É creditado pela taxa da moeda, sem o desconto de um pacote. Reembolse se o jogador quiser.',
      overpaid: 'Chegou mais, ou foi pago duas vezes. Tudo é creditado. Reembolse o excesso se o jogador quiser.',
      expired: 'Nada chegou a tempo. Dinheiro que chegar depois ainda conta.',
      cancelled: 'O jogador cancelou. Dinheiro que chegar depois ainda conta.',
      failed:
        'O banco recusou a cobrança, ou não pôde ser contatado enquanto ela valia. O jogador pode iniciar outro pagamento.',
      review:
        'Chegou dinheiro que não é creditado antes de você conferir: o recebimento mostra o motivo. Reembolse aqui, ou dê as moedas à mão na conta. Dinheiro em outra moeda só pode ser devolvido no banco.',
      refund_pending: 'O dinheiro está sendo devolvido. As moedas já foram retiradas. Não há nada a fazer.',
      partially_refunded: 'Uma parte do dinheiro foi devolvida.',
      refunded: 'Todo o dinheiro foi devolvido.',
      reversed:
        'O sistema de pagamento tomou de volta ao menos uma parte, por exemplo após uma denúncia de fraude. As moedas são retiradas. Fale com o jogador: a conta pode dever moedas.',
    },
  },
  es: {
    meanings: {
      created: 'El banco todavía no ha aceptado el cobro. Si sigue así, revisa la conexión con el banco.',
      pending: 'Se puede pagar. No hay nada que hacer.',
      paid: 'Llegó exactamente el importe, a tiempo. No hay nada que hacer.',
      paid_late: 'Llegó exactamente el importe después del plazo. Está acreditado. No hay nada que hacer.',
      underpaid:
        'Llegó menos. Se acredita con la tasa de la moneda, sin el descuento de un paquete. Reembólsalo si el jugador quiere.',
      overpaid: 'Llegó más, o se pagó dos veces. Se acredita todo. Reembolsa el exceso si el jugador quiere.',
      expired: 'No llegó nada a tiempo. El dinero que llegue después todavía cuenta.',
      cancelled: 'El jugador lo canceló. El dinero que llegue después todavía cuenta.',
      failed: 'El banco rechazó el cobro, o no se pudo contactar mientras valía. El jugador puede empezar otro pago.',
      review:
        'Llegó dinero que no se acredita antes de que lo revises: el recibo muestra el motivo. Reembólsalo aquí, o da las monedas a mano en la cuenta. El dinero en otra moneda solo se puede devolver en el banco.',
      refund_pending: 'El dinero se está devolviendo. Las monedas ya se retiraron. No hay nada que hacer.',
      partially_refunded: 'Se devolvió una parte del dinero.',
      refunded: 'Se devolvió todo el dinero.',
      reversed:
        'El sistema de pago retiró al menos una parte, por ejemplo tras una denuncia de fraude. Sus monedas se retiran. Habla con el jugador: la cuenta puede deber monedas.',
    },
  },
});
