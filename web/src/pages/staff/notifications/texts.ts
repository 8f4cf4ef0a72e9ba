import { texts } from '../../../language/language';

export const notifications = texts({
  en: {
    title: 'Bank notifications',
    intro:
      'What banks reported about payments. A notification never gives coins by itself: the site asks the bank for the charge. One that stays without effect is parked with its reason.',
    none: 'No notification matches. Settled ones are deleted after some time.',
    noneParked: 'No notification is parked. Nothing to do here.',
    statuses: { open: 'In progress', settled: 'Settled', parked: 'Parked', discarded: 'Discarded' },
    provider: 'Bank',
    reference: 'Reference',
    noReference: '(none)',
    received: 'Last received',
    times: (count: number) => `${count} times`,
    body: 'Content',
    showBody: 'Show the content',
    discard: 'Discard',
    discardTitle: (id: number) => `Discard notification #${id}`,
    discardText:
      'For one that will never match a payment. It stays in the list and can still be processed again. If the bank sends it again, it is processed again.',
    discarded: (id: number) => `Notification #${id} is discarded.`,
    replay: 'Process again',
    replayTitle: (id: number) => `Process notification #${id} again`,
    replayText:
      'The site asks the bank about this charge once more. Do this when the cause is fixed. A receipt is credited only once, however often you do it.',
    replayed: (id: number) =>
      `Notification #${id} is being processed again. If it still has no effect, it is parked again.`,
  },
  pt: {
    title: 'Avisos do banco',
    intro:
      'O que os bancos informaram sobre pagamentos. Um aviso nunca dá moedas sozinho: o site consulta a cobrança no banco. Um aviso que fica sem efeito é parado, com o motivo.',
    none: 'Nenhum aviso corresponde. Os concluídos são apagados depois de um tempo.',
    noneParked: 'Nenhum aviso está parado. Não há nada a fazer aqui.',
    statuses: { open: 'Em andamento', settled: 'Concluído', parked: 'Parado', discarded: 'Descartado' },
    provider: 'Banco',
    reference: 'Referência',
    noReference: '(nenhuma)',
    received: 'Último recebimento',
    times: (count) => `${count} vezes`,
    body: 'Conteúdo',
    showBody: 'Mostrar o conteúdo',
    discard: 'Descartar',
    discardTitle: (id) => `Descartar o aviso nº ${id}`,
    discardText:
      'Para um aviso que nunca vai corresponder a um pagamento. Ele fica na lista e ainda pode ser processado. Se o banco enviar de novo, é processado de novo.',
    discarded: (id) => `O aviso nº ${id} foi descartado.`,
    replay: 'Processar de novo',
    replayTitle: (id) => `Processar de novo o aviso nº ${id}`,
    replayText:
      'O site consulta esta cobrança no banco mais uma vez. Faça isso quando a causa estiver resolvida. Um recebimento só é creditado uma vez, não importa quantas vezes você faça isso.',
    replayed: (id) => `O aviso nº ${id} está sendo processado de novo. Se continuar sem efeito, será parado outra vez.`,
  },
  es: {
    title: 'Avisos del banco',
    intro:
      'Lo que los bancos informaron sobre pagos. Un aviso nunca da monedas por sí solo: el sitio consulta el cobro en el banco. Un aviso que sigue sin efecto queda detenido, con su motivo.',
    none: 'Ningún aviso coincide. Los concluidos se borran después de un tiempo.',
    noneParked: 'Ningún aviso está detenido. No hay nada que hacer aquí.',
    statuses: { open: 'En curso', settled: 'Concluido', parked: 'Detenido', discarded: 'Descartado' },
    provider: 'Banco',
    reference: 'Referencia',
    noReference: '(ninguna)',
    received: 'Última recepción',
    times: (count) => `${count} veces`,
    body: 'Contenido',
    showBody: 'Mostrar el contenido',
    discard: 'Descartar',
    discardTitle: (id) => `Descartar el aviso n.º ${id}`,
    discardText:
      'Para un aviso que nunca corresponderá a un pago. Sigue en la lista y todavía se puede procesar. Si el banco lo envía otra vez, se procesa de nuevo.',
    discarded: (id) => `El aviso n.º ${id} está descartado.`,
    replay: 'Procesar de nuevo',
    replayTitle: (id) => `Procesar de nuevo el aviso n.º ${id}`,
    replayText:
      'El sitio consulta este cobro en el banco una vez más. Hazlo cuando la causa esté resuelta. Un ingreso se acredita una sola vez, lo hagas las veces que lo hagas.',
    replayed: (id) => `El aviso n.º ${id} se está procesando de nuevo. Si sigue sin efecto, quedará detenido otra vez.`,
  },
});
