// Texts of this page as files, for downloads and images. The policy of the site allows no data: URLs.

import { useEffect, useState } from 'preact/hooks';

/** The address of a text as a file of this type. Undefined at the first drawing. */
export function useFile(text: string, type: string): string | undefined {
  const [address, setAddress] = useState<string>();
  useEffect(() => {
    const url = URL.createObjectURL(new Blob([text], { type }));
    setAddress(url);
    return () => URL.revokeObjectURL(url);
  }, [text, type]);
  return address;
}
