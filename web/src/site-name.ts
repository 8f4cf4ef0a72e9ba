/** The name of the site. It is chosen when the site is built. */
export const SITE_NAME = import.meta.env.GUILDHALL_SITE_NAME;
