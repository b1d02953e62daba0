import { joinMachine } from '../machine.ts'
import { takeSeat } from '../seat.ts'

/** A worker that serves nothing. `WORKER_FAILS` names those that end before they listen, `WORKER_UNFIT` those that take no calls. */
const seat = takeSeat(process.env)
if (seat === undefined) throw new Error('this process is no worker')
const isIn = (list = '') => list.split(',').includes(String(seat.number))
if (isIn(process.env['WORKER_FAILS'])) process.exit(3)

const none = { others: () => 0, taken() {} }
const machine = joinMachine(seat, process, { of: () => none })
machine.respond('metrics', async () => [{ pid: process.pid }])
machine.listening([`worker ${seat.number} of ${seat.count}`])
void machine.stopped.then(async () => {
  await machine.leave('metrics', [{ last: seat.number }])
  process.exit(0)
})
if (isIn(process.env['WORKER_UNFIT'])) machine.fit(false)
