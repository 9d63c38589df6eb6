/** A professional account. Known by its professional id and by its app-scoped one. */
export interface PicsAccountNode {
  readonly kind: 'picsAccount';
  /** The 17-digit professional id. */
  readonly id: string;
  readonly scopedId: string;
  readonly owners: readonly string[];
  readonly createdAt: number;
  readonly pageId: string | undefined;
  readonly username: string;
  readonly name: string;
}

/** Every kind of node of the photo-sharing platform, by the name of its kind. */
export interface PicsNodes {
  picsAccount: PicsAccountNode;
}
