import { texts } from '../../../language/language';

export const deadLetters = texts({
  en: {
    title: 'Dead letters',
    intro: 'Messages that the workers could not process, with the reason. Texts of people and secrets are not shown.',
    none: 'There are no dead letters. Every message was processed.',
    message: 'Message',
    noCommand: 'not a command',
    showMessage: 'Show the message',
    died: 'Since',
    tooOld: 'Too old to process again',
    replay: 'Process again',
    replayTitle: (id: number) => `Process dead letter #${id} again`,
    replayText:
      'The message goes back to its queue. Do this when the cause is fixed. A command takes effect once, however often you do it.',
    replayed: (id: number) =>
      `Dead letter #${id} is in its queue again. If it fails again, it comes back to this list.`,
    discard: 'Discard',
    discardTitle: (id: number) => `Discard dead letter #${id}`,
    discardText:
      'The message is deleted and never takes effect. The audit log keeps its queue and the name of its command.',
    discarded: (id: number) => `Dead letter #${id} is discarded.`,
  },
  pt: {
    title: 'Mensagens mortas',
    intro:
      'Mensagens que os workers não conseguiram processar, com o motivo. Textos de pessoas e segredos não são mostrados.',
    none: 'Não há mensagens mortas. Todas foram processadas.',
    message: 'Mensagem',
    noCommand: 'não é um comando',
    showMessage: 'Mostrar a mensagem',
    died: 'Desde',
    tooOld: 'Antiga demais para processar de novo',
    replay: 'Processar de novo',
    replayTitle: (id) => `Processar de novo a mensagem morta nº ${id}`,
    replayText:
      'A mensagem volta para a fila. Faça isso quando a causa estiver resolvida. Um comando só tem efeito uma vez, não importa quantas vezes você faça isso.',
    replayed: (id) => `A mensagem morta nº ${id} está na fila de novo. Se falhar outra vez, volta para esta lista.`,
    discard: 'Descartar',
    discardTitle: (id) => `Descartar a mensagem morta nº ${id}`,
    discardText: 'A mensagem é apagada e nunca terá efeito. A auditoria guarda a fila e o nome do comando.',
    discarded: (id) => `A mensagem morta nº ${id} foi descartada.`,
  },
  es: {
    title: 'Mensajes muertos',
    intro:
      'Mensajes que los workers no pudieron procesar, con el motivo. Los textos de personas y los secretos no se muestran.',
    none: 'No hay mensajes muertos. Todos se procesaron.',
    message: 'Mensaje',
    noCommand: 'no es un comando',
    showMessage: 'Mostrar el mensaje',
    died: 'Desde',
    tooOld: 'Demasiado viejo para procesarlo de nuevo',
    replay: 'Procesar de nuevo',
    replayTitle: (id) => `Procesar de nuevo el mensaje muerto n.º ${id}`,
    replayText:
      'El mensaje vuelve a su cola. Hazlo cuando la causa esté resuelta. Un comando tiene efecto una sola vez, lo hagas las veces que lo hagas.',
    replayed: (id) => `El mensaje muerto n.º ${id} está en su cola otra vez. Si vuelve a fallar, regresa a esta lista.`,
    discard: 'Descartar',
    discardTitle: (id) => `Descartar el mensaje muerto n.º ${id}`,
    discardText: 'El mensaje se borra y nunca tendrá efecto. La auditoría guarda su cola y el nombre de su comando.',
    discarded: (id) => `El mensaje muerto n.º ${id} está descartado.`,
  },
});
