import { expect, it } from 'bun:test'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openBeside } from '../../../../../tests/support/processes/open-beside.ts'
import { newChannel } from '../contract/samples.ts'
import { openStore } from '../engine/open/open-store.ts'
import { channelReferences } from './channel-references.ts'

interface Column {
  readonly name: string
  readonly type: string
}

it('has every table that names a channel, and a deletion leaves no row but those that say what was', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'tollgate-references-'))
  const store = await openStore({ dataDir, logger: { warn: () => undefined } })
  const { id } = await store.channels.create(newChannel())
  const db = openBeside(dataDir)
  try {
    const tables = db.query<{ name: string }, []>("select name from sqlite_master where type = 'table'").all()
    const columnsOf = (table: string) => db.query<Column, []>(`pragma table_info('${table}')`).all()
    const naming = tables
      .map(({ name }) => name)
      .filter((table) => columnsOf(table).some(({ name }) => name === 'channel_id'))
    const declared = Object.entries(channelReferences).filter(([, { column }]) => column === 'channel_id')
    expect(naming.sort()).toEqual(declared.map(([table]) => table).sort())
    const going = declared.filter(([, { fate }]) => fate === 'goes').map(([table]) => table)
    for (const table of going) {
      const columns = columnsOf(table)
      const values = columns.map(({ name, type }) =>
        name === 'channel_id' ? id : /int/i.test(type) ? 0 : "'{}'",
      )
      db.run(
        `insert into ${table} (${columns.map(({ name }) => `"${name}"`).join()}) values (${values.join()})`,
      )
    }
    await store.channels.delete(id)
    for (const [table, { column, fate }] of Object.entries(channelReferences))
      if (fate === 'goes')
        expect(db.query(`select * from ${table} where ${column} = ${id}`).all()).toEqual([])
  } finally {
    db.close()
    await store.close()
    await rm(dataDir, { recursive: true })
  }
})
