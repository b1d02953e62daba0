import { calls, fillText, type Language, type RowOutcome, refusalTexts } from '@tollgate/api'
import type { BulkOutcome } from '../../../channels/manage/bulk-channels.ts'
import type { ManageChannels } from '../../../channels/manage/manage-channels.ts'
import { type ConsoleRoute, route } from '../route.ts'

const { channels } = calls

/** What is done with many channels at once. */
export function bulkRoutes({ manage }: { readonly manage: ManageChannels }): readonly ConsoleRoute[] {
  const { bulk } = manage
  return [
    route(channels.deleteMany, async ({ body }, { actor, language }) =>
      bulkResult(await bulk.delete(body.ids, actor), language),
    ),
    route(channels.deleteDisabled, async (_, { actor }) => ({ data: await bulk.deleteDisabled(actor) })),
    route(channels.updateMany, async ({ body }, { actor, language }) =>
      bulkResult(await bulk.update(body, actor), language),
    ),
    route(channels.tagMany, async ({ body }, { actor, language }) =>
      bulkResult(await bulk.setTag(body.ids, body.tag, actor), language),
    ),
    route(channels.updateTag, async ({ body }, { actor }) => ({ data: await manage.editTag(body, actor) })),
    route(channels.enableTag, async ({ body }, { actor }) => ({
      data: await bulk.switchTag(body.tag, 'enabled', actor),
    })),
    route(channels.disableTag, async ({ body }, { actor }) => ({
      data: await bulk.switchTag(body.tag, 'disabled', actor),
    })),
    route(channels.fix, async (_, { actor }) => ({ data: await manage.fix(actor) })),
  ]
}

function bulkResult(outcomes: readonly BulkOutcome[], language: Language) {
  const rows = outcomes.map((outcome) => rowOutcome(outcome, language))
  return { data: rows.filter(({ success }) => success).length, extra: { outcomes: rows } }
}

function rowOutcome({ id, code }: BulkOutcome, language: Language): RowOutcome {
  if (code === undefined) return { id, success: true, message: '' }
  return { id, success: false, message: fillText(refusalTexts[code][language], {}), code }
}
