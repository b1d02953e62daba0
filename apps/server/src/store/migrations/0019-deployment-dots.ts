import { type Kysely, sql } from 'kysely'

const azure = 3

/** Deployments keep their dots unless a channel says otherwise; channels that were there before go on without. */
export async function keepStrippingDots(db: Kysely<unknown>): Promise<void> {
  const { rows } = await sql<{ readonly id: number; readonly setting: string }>`
    select id, setting from channels where type = ${azure}`.execute(db)
  for (const { id, setting } of rows) {
    const stripping = strippingDots(setting)
    if (stripping !== undefined)
      await sql`update channels set setting = ${stripping} where id = ${id}`.execute(db)
  }
}

/** `undefined` for a text that is no setting, which nobody could have used. */
function strippingDots(setting: string): string | undefined {
  try {
    const value: unknown = JSON.parse(setting.trim() || '{}')
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined
    return JSON.stringify({ ...value, strip_deployment_dots: true })
  } catch {
    return undefined
  }
}
