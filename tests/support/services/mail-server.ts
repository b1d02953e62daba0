import type { AddressInfo } from 'node:net'
import { SMTPServer, type SMTPServerOptions } from 'smtp-server'
import { until } from '../until.ts'

/** One message as a mail server took it. */
export interface ReceivedMail {
  readonly from: string
  /** Everybody whom the envelope names. */
  readonly to: readonly string[]
  /** Fields by name in lower case, as they came. */
  readonly headers: Readonly<Record<string, string>>
  /** Decoded. */
  readonly html: string
  /** Set for a mail over an encrypted connection. */
  readonly secure: boolean
}

export interface MailLogin {
  readonly method: string
  readonly username: string
  readonly password: string
  readonly secure: boolean
}

/** A real mail server on a loopback port that stores its mails. */
export interface MailServer {
  readonly port: number
  readonly received: readonly ReceivedMail[]
  readonly logins: readonly MailLogin[]
  /** The newest mail to an address, once there are `count` of them. */
  mailTo(address: string, count?: number): Promise<ReceivedMail>
  stop(): Promise<void>
}

interface Options {
  /** PEM; without one the server offers no encryption. */
  readonly certificate?: { readonly key: string; readonly cert: string }
  /** Encrypted from the first byte, as on port 465. */
  readonly implicitTls?: boolean
  /** Refuses every recipient, with this sentence. */
  readonly refuses?: string
}

export async function startMailServer({
  certificate,
  implicitTls,
  refuses,
}: Options = {}): Promise<MailServer> {
  const received: ReceivedMail[] = []
  const logins: MailLogin[] = []
  const options: SMTPServerOptions = {
    authMethods: ['PLAIN', 'LOGIN'],
    authOptional: true,
    secure: implicitTls === true,
    ...(certificate ?? { disabledCommands: ['STARTTLS'] }),
    // Ends what a client left open, so that a test does not wait for it.
    closeTimeout: 100,
    onAuth({ method, username, password }, { secure }, done) {
      logins.push({ method, username: username ?? '', password: password ?? '', secure })
      done(null, { user: username })
    },
    onRcptTo: (_, __, done) => done(refuses === undefined ? null : new Error(refuses)),
    onData(stream, { envelope, secure }, done) {
      let text = ''
      stream.on('data', (chunk: Buffer) => {
        text += chunk.toString('latin1')
      })
      stream.on('end', () => {
        const from = envelope.mailFrom === false ? '' : envelope.mailFrom.address
        received.push({ from, to: envelope.rcptTo.map(({ address }) => address), secure, ...parsed(text) })
        done()
      })
    },
  }
  const server = new SMTPServer(options)
  // What goes wrong in a conversation is the client's to say.
  server.on('error', () => undefined)
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready))
  return {
    port: (server.server.address() as AddressInfo).port,
    received,
    logins,
    mailTo: (address, count = 1) =>
      until(() => {
        const mails = received.filter(({ to }) => to.includes(address))
        return mails.length >= count ? mails.at(-1) : undefined
      }),
    stop: () => new Promise((stopped) => server.close(() => stopped())),
  }
}

function parsed(text: string): Pick<ReceivedMail, 'headers' | 'html'> {
  const end = text.indexOf('\r\n\r\n')
  const lines = text
    .slice(0, end)
    .replace(/\r\n[ \t]+/g, ' ')
    .split('\r\n')
  const headers = Object.fromEntries(
    lines.map((line) => [line.slice(0, line.indexOf(':')).toLowerCase(), line.slice(line.indexOf(':') + 2)]),
  )
  return { headers, html: decoded(text.slice(end + 4), headers['content-transfer-encoding'] ?? '') }
}

function decoded(body: string, encoding: string): string {
  switch (encoding) {
    case 'base64':
      return Buffer.from(body, 'base64').toString()
    case 'quoted-printable':
      return Buffer.from(
        body
          .replace(/=\r\n/g, '')
          .replace(/=([\dA-F]{2})/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16))),
        'latin1',
      ).toString()
    default:
      return body
  }
}
