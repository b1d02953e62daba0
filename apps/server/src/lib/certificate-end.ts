import { connect } from 'node:tls'

const limitMs = 5000

/**
 * Returns until when the certificate of a site holds, in ms; `undefined` for a site without TLS. Whether it is trusted does not matter here.
 * Rejects when the site does not respond.
 */
export async function certificateEndMs(siteAddress: string): Promise<number | undefined> {
  if (!URL.canParse(siteAddress)) return undefined
  const { protocol, hostname, port } = new URL(siteAddress)
  if (protocol !== 'https:') return undefined
  const host = hostname.replace(/^\[|\]$/g, '')
  const { promise, resolve, reject } = Promise.withResolvers<number>()
  const socket = connect({
    host,
    port: port === '' ? 443 : Number(port),
    // An address of the network is no name of a server (RFC 6066).
    ...(/^[\d.]+$|:/.test(host) ? {} : { servername: host }),
    rejectUnauthorized: false,
    timeout: limitMs,
  })
  socket.once('secureConnect', () => resolve(Date.parse(socket.getPeerCertificate().valid_to)))
  socket.once('timeout', () => reject(new Error(`${host} does not respond`)))
  socket.once('error', reject)
  try {
    return await promise
  } finally {
    socket.destroy()
  }
}
