/** What a path of the videos form asks for. */
export type VideoRoute =
  | { readonly name: 'create' }
  | { readonly name: 'show'; readonly id: string }
  | { readonly name: 'content'; readonly id: string }
