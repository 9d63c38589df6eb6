export interface Vault {
  /** `owner` is the id of what the text belongs to: sealed for one, it cannot be opened as that of another. */
  seal(text: string, owner: string): Promise<string>;
  open(sealed: string, owner: string): Promise<string>;
}

/** Encrypts what is stored. `key` holds 32 random bytes as base64, and is kept elsewhere than the table. */
export async function createVault(key: string): Promise<Vault> {
  const bytes = toBytes(key);
  if (bytes.length !== 32) throw new Error('the key of the vault must be 32 bytes as base64');
  const aes = await crypto.subtle.importKey('raw', bytes, 'AES-GCM', false, ['encrypt', 'decrypt']);
  const params = (iv: Uint8Array<ArrayBuffer>, owner: string) => ({
    name: 'AES-GCM',
    iv,
    additionalData: new TextEncoder().encode(owner),
  });
  return {
    seal: async (text, owner) => {
      const iv = crypto.getRandomValues(new Uint8Array(12)); // a new one each time, as AES-GCM demands
      const sealed = await crypto.subtle.encrypt(params(iv, owner), aes, new TextEncoder().encode(text));
      return btoa(String.fromCharCode(...iv, ...new Uint8Array(sealed)));
    },
    open: async (sealed, owner) => {
      const whole = toBytes(sealed);
      const opened = await crypto.subtle.decrypt(params(whole.slice(0, 12), owner), aes, whole.slice(12));
      return new TextDecoder().decode(opened);
    },
  };
}

function toBytes(base64: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
}
