import './characters.css';
import { CharacterPage } from './character';
import { DeathsPage } from './deaths';
import { HighscoresPage } from './highscores';
import { MyCharactersPage } from './my-characters';
import { OnlinePage } from './online';

export const pages = {
  characters: MyCharactersPage,
  highscores: HighscoresPage,
  online: OnlinePage,
  deaths: DeathsPage,
  character: CharacterPage,
};
