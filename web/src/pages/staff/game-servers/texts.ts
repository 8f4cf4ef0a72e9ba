import { texts } from '../../../language/language';

export const gameServers = texts({
  en: {
    title: 'Game servers',
    intro: 'Each service token belongs to a game server. It sends characters and fetches deliveries.',
    none: 'There is no service token yet. An operator creates one at the command line of the workers.',
    name: 'Name',
    present: 'Present',
    absent: 'Not present',
    answersNone: 'Does not answer',
    answersNoneText:
      'It fetches deliveries and answers none. It may crash while it delivers, or its program may be wrong.',
    seen: 'Last request',
    answered: 'Last answer to a delivery',
    unanswered: 'Unanswered since',
    never: 'never',
  },
  pt: {
    title: 'Servidores do jogo',
    intro: 'Cada token de serviço pertence a um servidor do jogo. Ele envia personagens e busca entregas.',
    none: 'Ainda não há token de serviço. Um operador cria um na linha de comando dos workers.',
    name: 'Nome',
    present: 'Presente',
    absent: 'Ausente',
    answersNone: 'Não responde',
    answersNoneText:
      'Ele busca entregas e não responde a nenhuma. Pode cair ao entregar, ou o programa pode estar errado.',
    seen: 'Último pedido',
    answered: 'Última resposta a uma entrega',
    unanswered: 'Sem resposta desde então',
    never: 'nunca',
  },
  es: {
    title: 'Servidores del juego',
    intro: 'Cada token de servicio pertenece a un servidor del juego. Envía personajes y recoge entregas.',
    none: 'Todavía no hay ningún token de servicio. Un operador crea uno en la línea de comandos de los workers.',
    name: 'Nombre',
    present: 'Presente',
    absent: 'Ausente',
    answersNone: 'No responde',
    answersNoneText:
      'Recoge entregas y no responde a ninguna. Puede caerse al entregar, o su programa puede estar mal.',
    seen: 'Última petición',
    answered: 'Última respuesta a una entrega',
    unanswered: 'Sin respuesta desde entonces',
    never: 'nunca',
  },
});
