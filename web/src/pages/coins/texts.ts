import { texts } from '../../language/language';
import type { PaymentStatus, Scheme } from '../../sdk';

/** The values in the sentence about a status, as the reader's language writes them. */
interface OutcomeValues {
  amount: string;
  received: string;
  /** What is missing to the amount. */
  rest: string;
  coins: string;
  credited: string;
}

/** A heading and a sentence with the next step. */
type OutcomeText = (values: OutcomeValues) => [string, string];

interface CoinsTexts {
  title: string;
  noPackages: string;
  payWith: string;
  guest: string;
  logIn: string;
  register: string;
  buy: string;
  starting: string;
  buyPackage: (name: string, coins: string) => string;
  bonus: (coins: string, share: string) => string;
  noBonus: string;
  ownAmount: string;
  coinCount: string;
  ownAmountHint: string;
  toPayment: string;
  openPayments: string;
  payUntil: string;
  continuePayment: string;
  payment: string;
  allCoins: string;
  noSuchPayment: string;
  forCoins: string;
  timeLeft: string;
  timeOver: string;
  steps: { app: string[]; transfer: string[] };
  payload: string;
  copy: string;
  copied: string;
  selected: string;
  qrCode: string;
  pending: string;
  cancel: string;
  paymentNumber: string;
  scheme: string;
  createdAt: string;
  newBalance: string;
  toShop: string;
  toCart: string;
  buyRest: string;
  newPayment: string;
  schemes: Record<Scheme, string>;
  outcomes: Record<PaymentStatus, OutcomeText>;
}

const schemes: Record<Scheme, string> = {
  pix: 'Pix',
  promptpay: 'PromptPay',
  paynow: 'PayNow',
  vietqr: 'VietQR',
  fps: 'FPS',
  sepa: 'SEPA',
};

export const coins = texts<CoinsTexts>({
  en: {
    title: 'Buy coins',
    noPackages: 'There are no coin packages at the moment. Come back later.',
    payWith: 'Pay with',
    guest: 'Log in or register to buy coins.',
    logIn: 'Log in',
    register: 'Register',
    buy: 'Buy',
    starting: 'One moment …',
    buyPackage: (name, count) => `Buy ${name}: ${count} coins`,
    bonus: (count, share) => `${count} coins more (+${share})`,
    noBonus: 'The usual price',
    ownAmount: 'Another number of coins',
    coinCount: 'Coins',
    ownAmountHint: 'The next page shows the price before you pay.',
    toPayment: 'Show the price',
    openPayments: 'Open payments',
    payUntil: 'Pay until',
    continuePayment: 'Continue',
    payment: 'Payment',
    allCoins: 'All packages',
    noSuchPayment: 'There is no such payment. Check the address, or start a new payment.',
    forCoins: 'for',
    timeLeft: 'Time left to pay:',
    timeOver: 'The time is over. The status follows in a moment.',
    steps: {
      app: [
        'Open the app of your bank.',
        'Scan the QR code, or copy the code and paste it in the app.',
        'The coins arrive by themselves. You may close this page.',
      ],
      transfer: [
        'Open the app of your bank.',
        'Scan the QR code with it, and send the transfer as it is shown.',
        'The coins arrive by themselves. You may close this page.',
      ],
    },
    payload: 'Code to copy',
    copy: 'Copy the code',
    copied: 'Copied',
    selected: 'The code is selected. Copy it with the menu of your device or with Ctrl+C.',
    qrCode: 'QR code of this payment',
    pending: 'Waiting for the payment …',
    cancel: 'Cancel this payment',
    paymentNumber: 'Payment no.',
    scheme: 'Method',
    createdAt: 'Created',
    newBalance: 'Your balance:',
    toShop: 'To the shop',
    toCart: 'Back to the cart',
    buyRest: 'Buy the missing coins',
    newPayment: 'New payment',
    schemes,
    outcomes: {
      created: () => ['The payment is being prepared', 'The code appears here as soon as the bank has registered it.'],
      pending: () => ['The payment is being prepared', 'The code appears here in a moment.'],
      paid: ({ credited }) => ['Thank you!', `Your payment has arrived. ${credited} coins are in your account.`],
      paid_late: ({ credited }) => [
        'Your payment has arrived late',
        `It counts all the same: ${credited} coins are in your account.`,
      ],
      underpaid: ({ amount, received, rest, coins: count, credited }) => [
        'A part of the amount has arrived',
        `${received} of ${amount} has arrived, ${rest} is missing. ${credited} of ${count} coins are in your account. ` +
          'Do not pay the same code again: it stands for the whole amount. Buy the missing coins with a new payment, or ask the staff to return the money.',
      ],
      overpaid: ({ amount, received, credited }) => [
        'More than the amount has arrived',
        `${received} instead of ${amount} has arrived. All of it counts: ${credited} coins are in your account. ` +
          'If you want the excess back, ask the staff.',
      ],
      expired: () => [
        'The time to pay is over',
        'Nothing has arrived. If you have already paid, do not pay again: the coins arrive with the money.',
      ],
      cancelled: () => [
        'This payment is cancelled',
        'Nothing has arrived. If you have already paid, do not pay again: the coins arrive with the money.',
      ],
      failed: () => [
        'The bank could not register this payment',
        'You have paid nothing. Try again with a new payment.',
      ],
      review: () => [
        'The staff must check this payment',
        'Money has arrived, but not as expected. Tell the staff the number of the payment: they credit the coins or return the money.',
      ],
      refund_pending: () => ['The money is being returned', 'Its coins are no longer in your account.'],
      partially_refunded: ({ credited }) => [
        'A part of the money was returned',
        `${credited} coins of this payment remain in your account.`,
      ],
      refunded: () => ['The money was returned', 'Its coins are no longer in your account.'],
      reversed: () => [
        'The bank has taken the money back',
        'Its coins are no longer in your account. If they were already spent, your account owes them. Ask the staff if you did not expect this.',
      ],
    },
  },
  pt: {
    title: 'Comprar moedas',
    noPackages: 'Não há pacotes de moedas no momento. Volte mais tarde.',
    payWith: 'Pagar com',
    guest: 'Entre ou crie uma conta para comprar moedas.',
    logIn: 'Entrar',
    register: 'Criar conta',
    buy: 'Comprar',
    starting: 'Um momento …',
    buyPackage: (name, count) => `Comprar ${name}: ${count} moedas`,
    bonus: (count, share) => `${count} moedas a mais (+${share})`,
    noBonus: 'O preço normal',
    ownAmount: 'Outra quantidade de moedas',
    coinCount: 'Moedas',
    ownAmountHint: 'A próxima página mostra o preço antes de você pagar.',
    toPayment: 'Ver o preço',
    openPayments: 'Pagamentos em aberto',
    payUntil: 'Pague até',
    continuePayment: 'Continuar',
    payment: 'Pagamento',
    allCoins: 'Pacotes',
    noSuchPayment: 'Este pagamento não existe. Confira o endereço ou comece um novo pagamento.',
    forCoins: 'por',
    timeLeft: 'Tempo restante para pagar:',
    timeOver: 'O tempo acabou. A situação aparece em instantes.',
    steps: {
      app: [
        'Abra o aplicativo do seu banco.',
        'Leia o QR code, ou copie o código e cole no aplicativo.',
        'As moedas chegam sozinhas. Você pode fechar esta página.',
      ],
      transfer: [
        'Abra o aplicativo do seu banco.',
        'Leia o QR code e envie a transferência como ela aparece.',
        'As moedas chegam sozinhas. Você pode fechar esta página.',
      ],
    },
    payload: 'Código para copiar e colar',
    copy: 'Copiar o código',
    copied: 'Copiado',
    selected: 'O código está selecionado. Copie com o menu do seu aparelho ou com Ctrl+C.',
    qrCode: 'QR code deste pagamento',
    pending: 'Aguardando o pagamento …',
    cancel: 'Cancelar este pagamento',
    paymentNumber: 'Pagamento nº',
    scheme: 'Forma de pagamento',
    createdAt: 'Criado em',
    newBalance: 'Seu saldo:',
    toShop: 'Ir para a loja',
    toCart: 'Voltar ao carrinho',
    buyRest: 'Comprar as moedas que faltam',
    newPayment: 'Novo pagamento',
    schemes,
    outcomes: {
      created: () => [
        'O pagamento está sendo preparado',
        'O código aparece aqui assim que o banco registrar o pagamento.',
      ],
      pending: () => ['O pagamento está sendo preparado', 'O código aparece aqui em instantes.'],
      paid: ({ credited }) => ['Obrigado!', `Seu pagamento chegou. ${credited} moedas estão na sua conta.`],
      paid_late: ({ credited }) => [
        'Seu pagamento chegou atrasado',
        `Ele vale mesmo assim: ${credited} moedas estão na sua conta.`,
      ],
      underpaid: ({ amount, received, rest, coins: count, credited }) => [
        'Uma parte do valor chegou',
        `Chegaram ${received} de ${amount}; faltam ${rest}. ${credited} de ${count} moedas estão na sua conta. ` +
          'Não pague o mesmo código de novo: ele vale o valor inteiro. Compre as moedas que faltam com um novo pagamento, ou peça o dinheiro de volta à equipe.',
      ],
      overpaid: ({ amount, received, credited }) => [
        'Chegou mais do que o valor',
        `Chegaram ${received} em vez de ${amount}. Tudo vale: ${credited} moedas estão na sua conta. ` +
          'Se quiser o excesso de volta, fale com a equipe.',
      ],
      expired: () => [
        'O tempo para pagar acabou',
        'Nada chegou. Se você já pagou, não pague de novo: as moedas chegam com o dinheiro.',
      ],
      cancelled: () => [
        'Este pagamento foi cancelado',
        'Nada chegou. Se você já pagou, não pague de novo: as moedas chegam com o dinheiro.',
      ],
      failed: () => [
        'O banco não conseguiu registrar este pagamento',
        'Você não pagou nada. Tente de novo com um novo pagamento.',
      ],
      review: () => [
        'A equipe precisa verificar este pagamento',
        'O dinheiro chegou, mas não como esperado. Informe à equipe o número do pagamento: ela credita as moedas ou devolve o dinheiro.',
      ],
      refund_pending: () => ['O dinheiro está sendo devolvido', 'As moedas dele não estão mais na sua conta.'],
      partially_refunded: ({ credited }) => [
        'Uma parte do dinheiro foi devolvida',
        `${credited} moedas deste pagamento continuam na sua conta.`,
      ],
      refunded: () => ['O dinheiro foi devolvido', 'As moedas dele não estão mais na sua conta.'],
      reversed: () => [
        'O banco tomou o dinheiro de volta',
        'As moedas dele não estão mais na sua conta. Se já foram gastas, sua conta as deve. Fale com a equipe se você não esperava isso.',
      ],
    },
  },
  es: {
    title: 'Comprar monedas',
    noPackages: 'No hay paquetes de monedas por ahora. Vuelve más tarde.',
    payWith: 'Pagar con',
    guest: 'Entra o crea una cuenta para comprar monedas.',
    logIn: 'Entrar',
    register: 'Crear cuenta',
    buy: 'Comprar',
    starting: 'Un momento …',
    buyPackage: (name, count) => `Comprar ${name}: ${count} monedas`,
    bonus: (count, share) => `${count} monedas más (+${share})`,
    noBonus: 'El precio habitual',
    ownAmount: 'Otra cantidad de monedas',
    coinCount: 'Monedas',
    ownAmountHint: 'La página siguiente muestra el precio antes de pagar.',
    toPayment: 'Ver el precio',
    openPayments: 'Pagos abiertos',
    payUntil: 'Paga hasta',
    continuePayment: 'Continuar',
    payment: 'Pago',
    allCoins: 'Paquetes',
    noSuchPayment: 'Este pago no existe. Comprueba la dirección o empieza un nuevo pago.',
    forCoins: 'por',
    timeLeft: 'Tiempo restante para pagar:',
    timeOver: 'El tiempo ha terminado. El estado aparece en un momento.',
    steps: {
      app: [
        'Abre la aplicación de tu banco.',
        'Escanea el código QR, o copia el código y pégalo en la aplicación.',
        'Las monedas llegan solas. Puedes cerrar esta página.',
      ],
      transfer: [
        'Abre la aplicación de tu banco.',
        'Escanea el código QR y envía la transferencia tal como aparece.',
        'Las monedas llegan solas. Puedes cerrar esta página.',
      ],
    },
    payload: 'Código para copiar',
    copy: 'Copiar el código',
    copied: 'Copiado',
    selected: 'El código está seleccionado. Cópialo con el menú de tu dispositivo o con Ctrl+C.',
    qrCode: 'Código QR de este pago',
    pending: 'Esperando el pago …',
    cancel: 'Cancelar este pago',
    paymentNumber: 'Pago n.º',
    scheme: 'Forma de pago',
    createdAt: 'Creado',
    newBalance: 'Tu saldo:',
    toShop: 'Ir a la tienda',
    toCart: 'Volver al carrito',
    buyRest: 'Comprar las monedas que faltan',
    newPayment: 'Nuevo pago',
    schemes,
    outcomes: {
      created: () => ['El pago se está preparando', 'El código aparece aquí en cuanto el banco lo haya registrado.'],
      pending: () => ['El pago se está preparando', 'El código aparece aquí en un momento.'],
      paid: ({ credited }) => ['¡Gracias!', `Tu pago ha llegado. ${credited} monedas están en tu cuenta.`],
      paid_late: ({ credited }) => [
        'Tu pago ha llegado tarde',
        `Cuenta de todos modos: ${credited} monedas están en tu cuenta.`,
      ],
      underpaid: ({ amount, received, rest, coins: count, credited }) => [
        'Ha llegado una parte del importe',
        `Han llegado ${received} de ${amount}; faltan ${rest}. ${credited} de ${count} monedas están en tu cuenta. ` +
          'No vuelvas a pagar el mismo código: vale por el importe completo. Compra las monedas que faltan con un nuevo pago, o pide al equipo que devuelva el dinero.',
      ],
      overpaid: ({ amount, received, credited }) => [
        'Ha llegado más que el importe',
        `Han llegado ${received} en lugar de ${amount}. Todo cuenta: ${credited} monedas están en tu cuenta. ` +
          'Si quieres recuperar el exceso, habla con el equipo.',
      ],
      expired: () => [
        'El tiempo para pagar ha terminado',
        'No ha llegado nada. Si ya has pagado, no pagues otra vez: las monedas llegan con el dinero.',
      ],
      cancelled: () => [
        'Este pago está cancelado',
        'No ha llegado nada. Si ya has pagado, no pagues otra vez: las monedas llegan con el dinero.',
      ],
      failed: () => [
        'El banco no pudo registrar este pago',
        'No has pagado nada. Inténtalo de nuevo con un nuevo pago.',
      ],
      review: () => [
        'El equipo debe comprobar este pago',
        'Ha llegado dinero, pero no como se esperaba. Di al equipo el número del pago: abonará las monedas o devolverá el dinero.',
      ],
      refund_pending: () => ['El dinero se está devolviendo', 'Sus monedas ya no están en tu cuenta.'],
      partially_refunded: ({ credited }) => [
        'Se ha devuelto una parte del dinero',
        `${credited} monedas de este pago siguen en tu cuenta.`,
      ],
      refunded: () => ['El dinero se ha devuelto', 'Sus monedas ya no están en tu cuenta.'],
      reversed: () => [
        'El banco ha retirado el dinero',
        'Sus monedas ya no están en tu cuenta. Si ya se gastaron, tu cuenta las debe. Habla con el equipo si no lo esperabas.',
      ],
    },
  },
});
