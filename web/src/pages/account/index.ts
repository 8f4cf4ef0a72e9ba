import './account.css';
import { AccountPage, AccountTabPage } from './account-page';

export const pages = { account: AccountPage, accountPage: AccountTabPage };
