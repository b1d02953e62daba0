import type { RevertibleAction } from '../../../packages/api/src/index.ts'
import type { LogRow, Operator } from '../operator.ts'

/** The people and things that the scenes need beside what they make. */
export interface Stage {
  /** The super administrator. */
  readonly root: Operator
  /** An ordinary person, whom an upstream serves `model`. */
  readonly ann: Operator
  readonly model: string
}

let names = 0
function newName(kind: string): string {
  names += 1
  return `${kind}-${names}`
}

const addChannel = (root: Operator) =>
  root.addChannel({ name: newName('undo'), base_url: 'https://zero.example', models: newName('model') })
const setStatus = (root: Operator, id: number, status: number) =>
  root.confirmed('PUT', '/api/channel/', { id, status })

async function planChannel(root: Operator): Promise<string> {
  const path = `/api/channel/${(await addChannel(root)).id}/schedule`
  await root.api('PUT', path, { off_at: 4_000_000_000, on_at: 0 })
  return path
}

async function addGroup(root: Operator): Promise<string> {
  const name = newName('group')
  await root.confirmed('POST', '/api/group/', { name, ratio: 2 })
  return name
}

async function payByBank({ root, ann }: Stage): Promise<string> {
  const payment = { PayAddress: 'https://pay.example/', EpayId: '1001', EpayKey: 'the merchant key' }
  for (const [key, value] of Object.entries({ ...payment, ServerAddress: 'https://gate.example' }))
    await root.option(key, value)
  const placed = await ann.call('POST', '/api/user/pay', { amount: 10, payment_method: 'zfb' })
  const tradeNo = String(Reflect.get(placed, 'trade_no'))
  await root.api('POST', '/api/topup/complete', { trade_no: tradeNo, reference: 'bank 7', reason: 'paid' })
  return tradeNo
}

async function callOf({ root, ann, model }: Stage): Promise<LogRow & { readonly created_at: number }> {
  await root.confirmed('PUT', '/api/option/', { key: 'ModelRatio', entries: { [model]: 1 } })
  const { key } = await ann.addKey({ name: newName('key') })
  const response = await fetch(`${ann.url}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}` },
    body: JSON.stringify({ model, messages: [{ role: 'user', content: 'word' }] }),
  })
  if (!response.ok) throw new Error(await response.text())
  await ann.quota()
  const page = await ann.api<{ items: (LogRow & { created_at: number })[] }>(
    'GET',
    '/api/log/self/?p=1&type=2',
  )
  const [row] = page.items
  if (row === undefined) throw new Error('the call is not in the log')
  return row
}

async function publish(root: Operator): Promise<number> {
  const body = { title: newName('Outage'), text: 'We look into it.' }
  return (await root.api<{ id: number }>('POST', '/api/status_page/incident', body)).id
}

/** An act of each kind that the audit log takes back, as administrators make it; the last thing that it does. */
export const undoScenes: Readonly<Record<RevertibleAction, (stage: Stage) => Promise<unknown>>> = {
  'option.update': ({ root }) => root.option('Notice', newName('Notice')),
  async 'option.reset-model-ratio'({ root }) {
    await root.option('ModelRatio', JSON.stringify({ [newName('model')]: 3 }))
    await root.confirmed('POST', '/api/option/rest_model_ratio', {})
  },
  'model.price': ({ root }) =>
    root.confirmed('PUT', '/api/models/price', {
      model_name: newName('model'),
      price: { input: 1, output: 2 },
    }),
  async 'channel.update'({ root }) {
    const { id } = await addChannel(root)
    await root.confirmed('PUT', '/api/channel/', { id, priority: 7 })
  },
  async 'channel.disable'({ root }) {
    await setStatus(root, (await addChannel(root)).id, 2)
  },
  async 'channel.drain'({ root }) {
    await root.api('POST', `/api/channel/${(await addChannel(root)).id}/drain`, { stays: true })
  },
  async 'channel.end-drain'({ root }) {
    const path = `/api/channel/${(await addChannel(root)).id}/drain`
    await root.api('POST', path, { stays: true })
    await root.api('DELETE', path)
  },
  'channel.schedule': ({ root }) => planChannel(root),
  async 'channel.cancel-schedule'({ root }) {
    await root.api('DELETE', await planChannel(root))
  },
  async 'channel.enable'({ root }) {
    const { id } = await addChannel(root)
    await setStatus(root, id, 2)
    await setStatus(root, id, 1)
  },
  'group.create': ({ root }) => addGroup(root),
  async 'group.update'({ root }) {
    await root.confirmed('PUT', '/api/group/', { name: await addGroup(root), ratio: 3 })
  },
  async 'group.rename'({ root }) {
    await root.confirmed('POST', '/api/group/rename', {
      name: await addGroup(root),
      new_name: newName('group'),
    })
  },
  async 'group.remove'({ root }) {
    await root.confirmed('POST', '/api/group/remove', { name: await addGroup(root) })
  },
  async 'user.update-many'({ root, ann }) {
    const body = { ids: [ann.userId], change: { kind: 'balance', amount: 500 } }
    const { confirmation } = await root.api<{ confirmation: string }>('POST', '/api/user/many/preview', body)
    await root.api('PUT', '/api/user/many', { ...body, confirmation })
  },
  async 'token.freeze'({ root, ann }) {
    const { id } = await ann.addKey({ name: newName('key') })
    await root.api('POST', `/api/key/${id}/freeze`, { note: 'in a gist' })
  },
  async 'top-up-order.refund'(stage) {
    const order = { trade_no: await payByBank(stage), by_hand: true, reason: 'returned' }
    // Of two refunds of the same amount the other must stay when one is taken back.
    await stage.root.api('POST', '/api/topup/refund', { ...order, money: '1.00', refunded_money: '0.00' })
    await stage.root.api('POST', '/api/topup/refund', { ...order, money: '1.00', refunded_money: '1.00' })
  },
  async 'log.goodwill'(stage) {
    const { id, created_at: at } = await callOf(stage)
    await stage.root.api('POST', '/api/log/goodwill', { log_id: id, at })
  },
  'status-incident.publish': ({ root }) => publish(root),
  async 'status-incident.update'({ root }) {
    await root.api('PUT', `/api/status_page/incident/${await publish(root)}`, { title: newName('Outage') })
  },
  async 'status-incident.unpublish'({ root }) {
    await root.api('POST', `/api/status_page/incident/${await publish(root)}/unpublish`)
  },
}
