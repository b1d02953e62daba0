import { groups, options } from '@tollgate/api'
import type { Mailer } from '../../../mail/mailer.ts'
import type { SendTestMail } from '../../../mail/test-mail.ts'
import type { ChangeOptions } from '../../../settings/change-options.ts'
import type { Settings } from '../../../settings/settings.ts'
import { readOidcDocument } from '../../../sign-in/oidc-document.ts'
import { type ConsoleRoute, route } from '../route.ts'
import { successMessages } from '../success-messages.ts'

export interface OptionRoutesDependencies {
  readonly settings: Pick<Settings, 'current' | 'list'>
  readonly changeOptions: ChangeOptions
  readonly mailer: Pick<Mailer, 'lastFailure'>
  readonly sendTestMail: SendTestMail
}

/** Options by the roles of the catalogue, and the groups that they name. */
export function optionRoutes({
  settings,
  changeOptions,
  mailer,
  sendTestMail,
}: OptionRoutesDependencies): ConsoleRoute[] {
  return [
    route(options.list, async (_, { caller }) => ({ data: [...settings.list(caller.role)] })),
    route(options.set, async ({ body }, { actor }) => {
      await changeOptions.change(actor, [body])
      return { data: undefined }
    }),
    route(options.setMany, async ({ body }, { actor }) => {
      await changeOptions.change(actor, body.options)
      return { data: undefined }
    }),
    route(options.resetModelRatio, async (_, { actor, language }) => {
      await changeOptions.resetModelRatio(actor)
      return { data: undefined, message: successMessages.modelRatiosReset[language] }
    }),
    route(options.readOidcDocument, async ({ body }) => ({ data: await readOidcDocument(body.url) })),
    route(options.mailState, async () => ({ data: { last_failure: mailer.lastFailure ?? null } })),
    route(options.testMail, async ({ body }, { caller, language }) => {
      await sendTestMail(caller.userId, body.to, language)
      return { data: undefined, message: successMessages.mailSent[language] }
    }),
    route(groups.list, async () => ({ data: Object.keys(settings.current.GroupRatio) })),
  ]
}
