/** Request ids of the gateway: local time of the server as 14 digits, 9 digits of fraction, 8 random characters. */
const shape = /^\d{23}[0-9A-Za-z]{8}$/

export function isRequestId(text: string): boolean {
  return shape.test(text)
}
