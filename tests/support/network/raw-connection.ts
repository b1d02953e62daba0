import { connect, type Socket } from 'node:net'

/** A connection on which these very bytes were sent. */
export interface Wire {
  readonly socket: Socket
  /** Everything that came back so far; nothing when it is not read. */
  heard(): string
  readonly closed: Promise<void>
}

/** Sends bytes as they are, well-formed or not, to `url`. With `read` false nothing is ever taken from the socket. */
export function sendBytes(url: string, text: string, read = true): Wire {
  const socket = connect(Number(new URL(url).port), '127.0.0.1')
  const chunks: Buffer[] = []
  if (read) socket.on('data', (bytes: Buffer) => void chunks.push(bytes))
  else socket.pause()
  socket.on('error', () => {})
  const closed = new Promise<void>((done) => socket.on('close', () => done()))
  socket.write(text)
  return { socket, heard: () => Buffer.concat(chunks).toString(), closed }
}

/** The head of a call with a key; its body is for the caller to send, when and how it likes. */
export function callHead(key: string, body: string): string {
  const headers = ['Host: x', `Authorization: Bearer ${key}`, `Content-Length: ${body.length}`]
  return `POST /v1/chat/completions HTTP/1.1\r\n${headers.join('\r\n')}\r\n\r\n`
}
