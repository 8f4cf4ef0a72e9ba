import { texts } from '../../language/language';

export const linkCodeTexts = texts({
  en: {
    title: 'Characters of the game',
    text: 'Do you play already? Create a code here and enter it in the game. Then your characters of the game belong to this account.',
    create: 'Create code',
    another: 'Create another code',
    validUntil: 'Valid once, until',
    warning: 'Never enter a code that somebody else has given to you: your characters would belong to their account.',
  },
  pt: {
    title: 'Personagens do jogo',
    text: 'Você já joga? Crie um código aqui e digite-o no jogo. Assim, seus personagens do jogo pertencem a esta conta.',
    create: 'Criar código',
    another: 'Criar outro código',
    validUntil: 'Válido uma vez, até',
    warning: 'Nunca digite um código que outra pessoa deu a você: seus personagens pertenceriam à conta dela.',
  },
  es: {
    title: 'Personajes del juego',
    text: '¿Ya juegas? Crea un código aquí y escríbelo en el juego. Así, tus personajes del juego pertenecen a esta cuenta.',
    create: 'Crear código',
    another: 'Crear otro código',
    validUntil: 'Válido una vez, hasta',
    warning: 'Nunca escribas un código que otra persona te haya dado: tus personajes pertenecerían a su cuenta.',
  },
});
