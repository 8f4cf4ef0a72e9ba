import { texts } from '../../../language/language';

export const deliveries = texts({
  en: {
    title: 'Deliveries',
    intro:
      'What players bought and the game must give them. A delivery that a game server refuses ten times is parked.',
    none: 'No delivery matches.',
    noneParked: 'No delivery is parked. Nothing to do here.',
    statuses: { open: 'Open', delivered: 'Delivered', parked: 'Parked', discarded: 'Discarded' },
    offer: 'Offer',
    offerNumber: 'Number of the offer',
    accountNumber: 'Number of the account',
    optional: 'Leave it empty for all.',
    attempts: 'Fetched',
    time: 'Delivered or due',
    lastError: (error: string) => `Last error: ${error}`,
    resend: 'Send again',
    resendText: 'A game server can fetch this delivery again at once.',
    resendDelivered:
      'These were delivered already. The game gives them a second time, unless its server recognises the number of the delivery.',
    resent: (what: string) => `“${what}” is due again.`,
    resendDiscarded: 'This delivery was discarded. A game server can fetch it again at once.',
    discard: 'Discard',
    discardText:
      'This delivery is given up: no game server fetches it any more. The buyer sees that, with your reason. Coins are not given back by this.',
    purchaseField: 'Number of the purchase',
    purchaseNumber: (id: number) => `purchase no. ${id}`,
    returned: 'Coins returned',
    buyerSuspended: 'It waits while the account is suspended.',
    returnCoins: 'Return coins',
    returnText: (coins: string) =>
      `This delivery is given up: no game server fetches it any more. The buyer gets ${coins} coins back, and sees your reason.`,
    coinsReturned: (what: string, coins: string) => `“${what}” is discarded, and the buyer has ${coins} coins back.`,
    reasonForBuyer: 'The buyer reads it. It is kept in the audit log, too.',
    discarded: (what: string) => `“${what}” is discarded.`,
    many: 'Send many again',
    manyText:
      'All deliveries of a period become due again, at most 1,000 at once. Their numbers stay the same, so a game server can recognise a repeated one.',
    manyDone: (count: number, more: boolean) =>
      `${count} deliveries are due again.${more ? ' There are more: send it again.' : ''}`,
    since: { parked: 'Parked from', delivered: 'Delivered from' },
    until: 'Until',
  },
  pt: {
    title: 'Entregas',
    intro:
      'O que jogadores compraram e o jogo precisa entregar. Uma entrega que um servidor recusa dez vezes é parada.',
    none: 'Nenhuma entrega corresponde.',
    noneParked: 'Nenhuma entrega está parada. Não há nada a fazer aqui.',
    statuses: { open: 'Aberta', delivered: 'Entregue', parked: 'Parada', discarded: 'Descartada' },
    offer: 'Oferta',
    offerNumber: 'Número da oferta',
    accountNumber: 'Número da conta',
    optional: 'Deixe vazio para todas.',
    attempts: 'Buscas',
    time: 'Entregue ou prevista',
    lastError: (error) => `Último erro: ${error}`,
    resend: 'Enviar de novo',
    resendText: 'Um servidor do jogo pode buscar esta entrega de novo imediatamente.',
    resendDelivered:
      'Isto já foi entregue. O jogo entrega uma segunda vez, a não ser que o servidor reconheça o número da entrega.',
    resent: (what) => `“${what}” pode ser buscada de novo.`,
    resendDiscarded: 'Esta entrega foi descartada. Um servidor do jogo pode buscá-la de novo imediatamente.',
    discard: 'Descartar',
    discardText:
      'Esta entrega é abandonada: nenhum servidor do jogo a busca mais. O comprador vê isso, com o seu motivo. As moedas não são devolvidas por isso.',
    purchaseField: 'Número da compra',
    purchaseNumber: (id) => `compra nº ${id}`,
    returned: 'Moedas devolvidas',
    buyerSuspended: 'Ela espera enquanto a conta está suspensa.',
    returnCoins: 'Devolver moedas',
    returnText: (coins) =>
      `Esta entrega é abandonada: nenhum servidor a busca mais. O comprador recebe ${coins} moedas de volta e lê o seu motivo.`,
    coinsReturned: (what, coins) => `“${what}” foi descartada, e o comprador recebeu ${coins} moedas de volta.`,
    reasonForBuyer: 'O comprador o lê. Ele também fica guardado na auditoria.',
    discarded: (what) => `“${what}” foi descartada.`,
    many: 'Enviar muitas de novo',
    manyText:
      'Todas as entregas de um período podem ser buscadas de novo, no máximo 1.000 por vez. Os números continuam os mesmos, então um servidor pode reconhecer uma repetida.',
    manyDone: (count, more) =>
      `${count} entregas podem ser buscadas de novo.${more ? ' Há mais: envie outra vez.' : ''}`,
    since: { parked: 'Parada a partir de', delivered: 'Entregue a partir de' },
    until: 'Até',
  },
  es: {
    title: 'Entregas',
    intro:
      'Lo que los jugadores compraron y el juego debe darles. Una entrega que un servidor rechaza diez veces queda detenida.',
    none: 'Ninguna entrega coincide.',
    noneParked: 'Ninguna entrega está detenida. No hay nada que hacer aquí.',
    statuses: { open: 'Abierta', delivered: 'Entregada', parked: 'Detenida', discarded: 'Descartada' },
    offer: 'Oferta',
    offerNumber: 'Número de la oferta',
    accountNumber: 'Número de la cuenta',
    optional: 'Déjalo vacío para todas.',
    attempts: 'Recogidas',
    time: 'Entregada o prevista',
    lastError: (error) => `Último error: ${error}`,
    resend: 'Enviar de nuevo',
    resendText: 'Un servidor del juego puede recoger esta entrega de nuevo enseguida.',
    resendDelivered:
      'Esto ya se entregó. El juego lo da por segunda vez, a no ser que su servidor reconozca el número de la entrega.',
    resent: (what) => `«${what}» se puede recoger de nuevo.`,
    resendDiscarded: 'Esta entrega fue descartada. Un servidor del juego puede recogerla de nuevo enseguida.',
    discard: 'Descartar',
    discardText:
      'Esta entrega se abandona: ningún servidor del juego la recoge ya. El comprador lo ve, con tu motivo. Las monedas no se devuelven con esto.',
    purchaseField: 'Número de la compra',
    purchaseNumber: (id) => `compra n.º ${id}`,
    returned: 'Monedas devueltas',
    buyerSuspended: 'Espera mientras la cuenta esté suspendida.',
    returnCoins: 'Devolver monedas',
    returnText: (coins) =>
      `Esta entrega se abandona: ningún servidor la recoge más. El comprador recupera ${coins} monedas y ve tu motivo.`,
    coinsReturned: (what, coins) => `«${what}» quedó descartada, y el comprador recuperó ${coins} monedas.`,
    reasonForBuyer: 'El comprador lo lee. También se guarda en la auditoría.',
    discarded: (what) => `«${what}» está descartada.`,
    many: 'Enviar muchas de nuevo',
    manyText:
      'Todas las entregas de un período se pueden recoger de nuevo, como máximo 1.000 a la vez. Sus números no cambian, así que un servidor puede reconocer una repetida.',
    manyDone: (count, more) =>
      `${count} entregas se pueden recoger de nuevo.${more ? ' Hay más: envíalo otra vez.' : ''}`,
    since: { parked: 'Detenida desde', delivered: 'Entregada desde' },
    until: 'Hasta',
  },
});
