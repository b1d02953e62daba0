/** A request without a body. */
export function get(target = '/', ...fields: readonly string[]): string {
  return message('GET', target, fields)
}

/** A request with a body and its length. */
export function post(target: string, body: string, ...fields: readonly string[]): string {
  return message('POST', target, [`Content-Length: ${body.length}`, ...fields]) + body
}

/** A request with a body in chunks, one for each of `parts`. */
export function postChunks(target: string, ...parts: readonly string[]): string {
  const chunks = parts.map((part) => `${part.length.toString(16)}\r\n${part}\r\n`)
  return `${message('POST', target, ['Transfer-Encoding: chunked'])}${chunks.join('')}0\r\n\r\n`
}

/** A head, with the empty line. */
export function message(method: string, target: string, fields: readonly string[]): string {
  return [`${method} ${target} HTTP/1.1`, 'Host: a', ...fields, '', ''].join('\r\n')
}
