import { type Consent, calls } from '@tollgate/api'
import type { Mailer } from '../../../accounts/mail/mailer.ts'
import type { SendTestMail } from '../../../accounts/mail/test-mail.ts'
import { readOidcDocument } from '../../../accounts/users/login/identity-providers/oidc.ts'
import type { Actor } from '../../../records/audit-log/audit-log.ts'
import type { ChangeOptions, RequestedChange } from '../../../settings/change-options.ts'
import { groupsWithoutRatio } from '../../../settings/effective-values.ts'
import type { Settings } from '../../../settings/settings.ts'
import type { Ignored } from '../ignored/ignored-reports.ts'
import { type ConsoleRoute, route } from '../route.ts'

export interface OptionRoutesDependencies {
  readonly settings: Pick<Settings, 'current' | 'list'>
  readonly changeOptions: ChangeOptions
  readonly mailer: Pick<Mailer, 'lastFailure'>
  readonly sendTestMail: SendTestMail
}

const { options } = calls

/** Options by the roles of the catalogue. */
export function optionRoutes({
  settings,
  changeOptions,
  mailer,
  sendTestMail,
}: OptionRoutesDependencies): ConsoleRoute[] {
  async function change(
    actor: Actor,
    changes: readonly RequestedChange[],
    consent: Consent,
    warn: Ignored,
  ): Promise<void> {
    await changeOptions.change(actor, changes, consent)
    if (changes.some(({ key }) => key === 'GroupRatio')) warn('groups', groupsWithoutRatio(settings.current))
  }

  return [
    route(options.list, (_, { caller }) => settings.list(caller)),
    route(options.set, ({ body }, { actor, warn }) => change(actor, [body], body, warn)),
    route(options.setMany, ({ body }, { actor, warn }) => change(actor, body.options, body, warn)),
    route(options.resetModelRatio, ({ query }, { actor }) => changeOptions.resetModelRatio(actor, query)),
    route(options.readOidcDocument, ({ body }) => readOidcDocument(body.url)),
    route(options.mailState, () => ({ last_failure: mailer.lastFailure ?? null })),
    route(options.testMail, ({ body }, { caller, language }) =>
      sendTestMail(caller.userId, body.to, language),
    ),
  ]
}
