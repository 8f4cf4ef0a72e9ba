import './characters.css';
import { MyCharactersPage } from './my-characters';

export const pages = { characters: MyCharactersPage };
