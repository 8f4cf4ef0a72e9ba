import type { Credentials } from './generated';

/** The addresses and credentials of the scenario. */
export interface Site {
  url: string;
  bankUrl: string;
  editor: Credentials;
  merchant: Credentials;
  gameToken: string;
}

/** Reads the site from environment variables. */
export function siteOf(environment: Record<string, string | undefined>): Site {
  const read = (name: string, otherwise?: string): string => {
    const value = environment[name] || otherwise;
    if (value === undefined) throw new Error(`${name} is not set; \`./dev sdk typescript story\` sets it`);
    return value;
  };
  return {
    url: read('GUILDHALL_URL', 'http://127.0.0.1:8080'),
    bankUrl: read('GUILDHALL_BANK_URL', 'http://127.0.0.1:8082'),
    editor: { login: read('GUILDHALL_EDITOR'), password: read('GUILDHALL_EDITOR_PASSWORD') },
    merchant: { login: read('GUILDHALL_MERCHANT'), password: read('GUILDHALL_MERCHANT_PASSWORD') },
    gameToken: read('GUILDHALL_GAME_TOKEN'),
  };
}
