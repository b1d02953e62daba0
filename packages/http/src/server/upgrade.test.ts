import { describe, expect, it } from 'bun:test'
import type { Application } from './connection-host.ts'
import { provided } from './test-support/applications.ts'
import { awaited } from './test-support/asked.ts'
import { Call, idleMs, settled, textReply } from './test-support/call.ts'
import { get, post } from './test-support/messages.ts'
import type { UpgradedConnection } from './upgrade.ts'

/** Takes every connection over, and records its events. */
class Takeover {
  readonly reported: string[] = []
  #connection: UpgradedConnection | undefined

  get connection(): UpgradedConnection {
    return provided(this.#connection)
  }

  readonly application: Application = async () => ({
    ...textReply('', 101),
    body: {
      upgrade: (connection, received) => {
        this.#connection = connection
        this.reported.push(`received ${Buffer.from(received)}`)
        return {
          data: (bytes) => this.reported.push(`data ${Buffer.from(bytes)}`),
          drained: () => this.reported.push('drained'),
          ended: () => this.reported.push('ended'),
          closed: () => this.reported.push('closed'),
        }
      },
    },
  })
}

async function takenOver(text = get()) {
  const takeover = new Takeover()
  const call = new Call(takeover.application)
  await call.send(text)
  return { takeover, call, connection: takeover.connection }
}

describe('a connection that is handed over', () => {
  it('comes with what was sent behind the request, and with what comes later', async () => {
    const { takeover, call } = await takenOver(`${get()}behind`)
    await call.send('later', get('/no-request'))
    expect(takeover.reported).toEqual(['received behind', 'data later', `data ${get('/no-request')}`])
    expect(call.text).toBe('')
  })

  it('sends what its owner writes, and reports when the caller stops and resumes keeping up', async () => {
    const { takeover, call, connection } = await takenOver()
    expect(connection.write(Buffer.from('one '))).toBe(true)
    call.socket.takes = () => 1
    expect(connection.write(Buffer.from('two '))).toBe(false)
    call.socket.takes = (offered) => offered
    await call.take()
    expect(takeover.reported).toEqual(['received ', 'drained'])
    expect(call.text).toBe('one two ')
  })

  it('is closed once everything is sent', async () => {
    const { call, connection } = await takenOver()
    call.socket.takes = () => 1
    connection.write(Buffer.from('last'))
    connection.end()
    expect(call.socket.calls).toEqual([])
    expect(connection.write(Buffer.from('later'))).toBe(false)
    call.socket.takes = (offered) => offered
    await call.take()
    expect(call.text).toBe('last')
    expect(call.socket.calls).toEqual(['end'])
  })

  it('reports that the caller ended its side, and that the connection closed', async () => {
    const { takeover, call } = await takenOver()
    call.connection.ended()
    call.connection.closed()
    expect(takeover.reported).toEqual(['received ', 'ended', 'closed'])
    expect(call.closings).toBe(1)
  })

  it('has no deadline of the server, and outlives its retirement until it is cut', async () => {
    const { call } = await takenOver()
    await call.pass(100 * idleMs)
    call.connection.retire(0)
    expect(call.socket.calls).toEqual([])
    call.connection.terminate()
    expect(call.socket.calls).toEqual(['terminate'])
  })

  it('is never one whose request has a body that is still to come', async () => {
    const call = new Call(new Takeover().application)
    await call.send(awaited(5), 'he')
    await settled()
    expect(call.faults).toEqual([expect.any(TypeError)])
    expect(call.socket.calls).toEqual(['terminate'])
    const buffered = await takenOver(post('/', 'body'))
    expect(buffered.takeover.reported).toEqual(['received '])
  })
})
