/** Where a browser goes to pay, and the fields it sends. */
export interface Checkout {
  readonly url: string
  /** `GET` goes there without fields. */
  readonly httpMethod: 'POST' | 'GET'
  readonly fields: Readonly<Record<string, string>>
}
