/** Whether the caller takes gzip (`Accept-Encoding: gzip`, not `gzip;q=0`). */
export function acceptsGzip(headers: Headers): boolean {
  const accepted = headers.get('accept-encoding')
  if (accepted === null) return false
  return /(?:^|[,\s])gzip\s*(?:$|,|;(?!\s*q=0(?:\.0*)?\s*(?:$|,)))/i.test(accepted)
}
