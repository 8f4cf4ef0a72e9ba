interface ImportMetaEnv {
  /** The name of the site, chosen when it is built. */
  readonly GUILDHALL_SITE_NAME: string;
}
