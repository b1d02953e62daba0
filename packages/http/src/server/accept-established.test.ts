import { expect, it } from 'bun:test'
import { isConnecting } from './accept-established.ts'

const head = '  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt'
const row = (local: string, state: string, queues = '00000000:00000000') =>
  `   0: ${local} 00000000:0000 ${state} ${queues} 00:00000000 00000000     0        0 1 1 0 100 0 0 10 0`
const tables = (...rows: readonly string[]) => [[head, ...rows].join('\n'), head]

it.each([
  ['a listener whose queue is empty', row('00000000:0BB8', '0A'), false],
  [
    'a listener that has connected callers which nobody accepted',
    row('00000000:0BB8', '0A', '00000000:00000002'),
    true,
  ],
  ['a handshake that is under way', row('0100007F:0BB8', '03'), true],
  ['a handshake by IPv6', row('00000000000000000000000001000000:0BB8', '03'), true],
  ['an established connection with bytes to read', row('0100007F:0BB8', '01', '00000000:00000010'), false],
  ['a handshake at another port', row('0100007F:0BB9', '03'), false],
])('knows from %s whether callers are being connected', (_, line, expected) => {
  expect(isConnecting(3000, tables(line))).toBe(expected)
})
