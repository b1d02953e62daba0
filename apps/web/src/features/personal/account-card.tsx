import { useQuery } from '@tanstack/react-query'
import { calls, roles, type User } from '@tollgate/api'
import { accountRefusedFields } from '@tollgate/api/refused-fields'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { baseOf, fieldsByCode } from '../../components/form/index.ts'
import { Button } from '../../components/ui/button.tsx'
import { Card, Stat } from '../../components/ui/card.tsx'
import { Money } from '../../components/ui/money.tsx'
import { QueryBoundary } from '../../components/ui/query-boundary.tsx'
import { Tag } from '../../components/ui/tag.tsx'
import { accountQuery, ownModelsQuery } from '../../lib/api/account.ts'
import { request } from '../../lib/api/api-client.ts'
import { copyText } from '../../lib/browser/copy.ts'
import { useLocal, writeLocal } from '../../lib/browser/local-store.ts'
import { formatInteger } from '../../lib/format/format.ts'
import { currentUser, storeUser } from '../../lib/session/session.ts'
import { toast } from '../../lib/toast.ts'
import { DialogButton } from './dialog-button.tsx'
import { TextDialog } from './form-dialog.tsx'

/** Name, role, balance and available models of the account. */
export function AccountCard({ user }: { readonly user: User }) {
  const { t } = useTranslation('personal')
  return (
    <Card>
      <div className="flex flex-col gap-4">
        <div className="flex items-start justify-between gap-3">
          <div className="min-w-0">
            <h2 className="truncate font-semibold text-base">{user.display_name || user.username}</h2>
            <p className="mt-1 flex flex-wrap items-center gap-1.5 text-muted text-xs">
              <span className="truncate">{user.username}</span>
              <RoleTag role={user.role} />
              <Tag className="figures">{t('account.id', { id: user.id })}</Tag>
              <GroupTag group={user.group}>{t('account.group', { group: user.group })}</GroupTag>
            </p>
          </div>
          <DialogButton dialog={(close) => <ProfileDialog user={user} onClose={close} />}>
            {t('profile.edit')}
          </DialogButton>
        </div>
        <div className="grid grid-cols-3 gap-4 max-sm:grid-cols-2">
          <Stat label={t('account.balance')}>
            <Money quota={user.quota} />
          </Stat>
          <Stat label={t('account.used')}>
            <Money quota={user.used_quota} />
          </Stat>
          <Stat label={t('account.requests')}>{formatInteger(user.request_count)}</Stat>
        </div>
        <Models />
      </div>
    </Card>
  )
}

function RoleTag({ role }: { readonly role: number }) {
  const { t } = useTranslation('personal')
  if (role >= roles.root) return <Tag tone="accent">{t('role.root')}</Tag>
  if (role >= roles.admin) return <Tag tone="accent">{t('role.admin')}</Tag>
  return <Tag>{t('role.common')}</Tag>
}

const collapsedCount = 10

/** Names of the available models; a press copies one. */
function Models() {
  const { t } = useTranslation('personal')
  return (
    <div>
      <h3 className="mb-1.5 text-muted text-xs">{t('models.title')}</h3>
      <QueryBoundary query={useQuery(ownModelsQuery)} waiting="h-20! max-sm:h-64!">
        {(models) =>
          models.length === 0 ? (
            <p className="text-muted text-sm">{t('models.none')}</p>
          ) : (
            <ModelList models={models} />
          )
        }
      </QueryBoundary>
    </div>
  )
}

function ModelList({ models }: { readonly models: readonly string[] }) {
  const { t } = useTranslation('personal')
  const expanded = useLocal('modelsExpanded') === 'true'
  const visible = expanded ? models : models.slice(0, collapsedCount)
  const hidden = models.length - collapsedCount

  async function copy(model: string): Promise<void> {
    if (await copyText(model)) toast.success(t('models.copied', { model }))
  }

  return (
    <>
      <ul className="flex flex-wrap gap-1">
        {visible.map((model) => (
          <li key={model} className="max-w-full">
            <button
              type="button"
              aria-label={t('models.copy', { model })}
              onClick={() => void copy(model)}
              className="inline-flex h-6 max-w-full items-center rounded-sm bg-hover px-2 font-mono text-2xs transition-colors hover:bg-accent-soft hover:text-accent-text max-sm:h-10 max-sm:px-3"
            >
              <span className="truncate">{model}</span>
            </button>
          </li>
        ))}
      </ul>
      {hidden > 0 && (
        <Button
          size="sm"
          variant="ghost"
          aria-expanded={expanded}
          className="mt-1 -ml-2"
          onClick={() => writeLocal('modelsExpanded', String(!expanded))}
        >
          {expanded ? t('models.fewer') : t('models.more', { count: hidden })}
        </Button>
      )}
    </>
  )
}

/** Changes the login name and the displayed name. */
function ProfileDialog({ user, onClose }: { readonly user: User; readonly onClose: () => void }) {
  const { t } = useTranslation('personal')
  return (
    <TextDialog
      size="sm"
      title={t('profile.title')}
      submitLabel={t('profile.submit')}
      onClose={onClose}
      fields={{
        username: {
          label: t('profile.username'),
          hint: t('profile.usernameHint'),
          start: user.username,
          missing: t('profile.usernameMissing'),
          required: true,
          input: { autoComplete: 'username' },
        },
        displayName: { label: t('profile.displayName'), start: user.display_name },
      }}
      fieldOf={fieldsByCode(accountRefusedFields, { username: 'username', display_name: 'displayName' })}
      nameOf={(field) => (field === 'display_name' ? 'displayName' : field)}
      save={async ({ username, displayName }, { started, seen }) => {
        const body = { username, display_name: displayName }
        const before = { username: started.username, display_name: started.displayName }
        await request(calls.accounts.updateSelf, {
          body: { ...body, password: '', base: baseOf(before, body, seen) },
        })
        return { username, display_name: displayName || user.display_name }
      }}
      successMessage={t('profile.saved')}
      changes={accountQuery}
      onSaved={(names) => {
        const known = currentUser()
        if (known) storeUser({ ...known, ...names })
      }}
    />
  )
}

/** Groups that people usually pay for stand out. */
const distinguished: ReadonlySet<string> = new Set(['vip', 'pro', 'svip', 'premium'])

export function GroupTag({
  group,
  children = group,
}: {
  readonly group: string
  readonly children?: ReactNode
}) {
  return <Tag tone={distinguished.has(group) ? 'warn' : 'neutral'}>{children}</Tag>
}
