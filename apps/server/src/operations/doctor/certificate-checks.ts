import { connect } from 'node:tls'
import { type Clock, systemClock } from '@tollgate/base'
import { type Finding, fail, ok, warn } from './finding.ts'

const dayMs = 86_400_000
/** Certificates for 90 days are renewed 30 days before their end. */
const soonDays = 14
const limitMs = 5000

/** Checks how long the certificate at the public address is valid. */
export async function checkCertificate(
  address: string,
  clock: Clock = systemClock,
): Promise<readonly Finding[]> {
  const { protocol, hostname, port } = new URL(address)
  if (protocol !== 'https:') return []
  const host = hostname.replace(/^\[|\]$/g, '')
  const endsMs = await certificateEnd(host, port === '' ? 443 : Number(port))
  // Whether it can be reached is another look.
  if (endsMs === undefined) return []
  return [judge(hostname, endsMs, clock.now())]
}

function judge(host: string, endsMs: number, nowMs: number): Finding {
  const day = `${new Date(endsMs).toISOString().slice(0, 10)} (UTC)`
  const days = Math.floor((endsMs - nowMs) / dayMs)
  if (days < 0)
    return fail('certificate', `the certificate of ${host} ended ${day}: renew it, nobody is let in`)
  if (days < soonDays)
    return warn('certificate', `the certificate of ${host} ends ${day}, in ${days} days: renew it`)
  return ok('certificate', `the certificate of ${host} is valid until ${day}`)
}

/** Reads the end of a certificate in Unix milliseconds; `undefined` where the server presents none. */
function certificateEnd(host: string, port: number): Promise<number | undefined> {
  return new Promise((resolve) => {
    // An expired certificate is what is looked for: it must not end the connection.
    const socket = connect({ host, port, servername: host, rejectUnauthorized: false })
    const end = (endsMs?: number) => {
      socket.destroy()
      resolve(endsMs)
    }
    socket.setTimeout(limitMs, () => end())
    socket.once('error', () => end())
    socket.once('secureConnect', () => {
      const endsMs = Date.parse(socket.getPeerCertificate().valid_to)
      end(Number.isNaN(endsMs) ? undefined : endsMs)
    })
  })
}
