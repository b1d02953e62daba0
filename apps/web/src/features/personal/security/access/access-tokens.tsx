import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type AccessTokenRow, calls } from '@tollgate/api'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from '../../../../components/ui/button.tsx'
import { QueryBoundary } from '../../../../components/ui/query-boundary.tsx'
import { RelativeTime } from '../../../../components/ui/relative-time.tsx'
import { Tag } from '../../../../components/ui/tag.tsx'
import { request } from '../../../../lib/api/api-client.ts'
import { useConfirmedMutation } from '../../../../lib/confirmed-mutation.ts'
import { lazyComponent } from '../../../../lib/lazy-component.ts'
import { secondsNow } from '../../../../lib/server-clock.ts'
import { accessTokensQuery } from '../../api.ts'
import { DialogButton } from '../../dialog-button.tsx'
import { SettingRow } from '../../setting-row.tsx'
import { SecretDialog } from '../secret-dialog.tsx'
import { AccessPart } from './access-part.tsx'

const AccessTokenDialog = lazyComponent(() => import('./access-token-dialog.tsx'), 'AccessTokenDialog')

/** The tokens of programs that use the console's calls. */
export function AccessTokens() {
  const { t } = useTranslation('personal')
  const [secret, setSecret] = useState<string>()
  return (
    <AccessPart
      description={t('tokens.description')}
      action={
        <DialogButton dialog={(close) => <AccessTokenDialog onClose={close} onCreated={setSecret} />}>
          {t('tokens.add')}
        </DialogButton>
      }
    >
      <QueryBoundary query={useQuery(accessTokensQuery)}>
        {(tokens) =>
          tokens.length === 0 ? (
            <p className="text-muted text-sm">{t('tokens.none')}</p>
          ) : (
            tokens.map((token) => <TokenRow key={token.id} token={token} />)
          )
        }
      </QueryBoundary>
      {secret !== undefined && (
        <SecretDialog title={t('tokens.added')} token={secret} onClose={() => setSecret(undefined)} />
      )}
    </AccessPart>
  )
}

function TokenRow({ token }: { readonly token: AccessTokenRow }) {
  const { t } = useTranslation('personal')
  const name = token.name || t('accessToken.title')
  const removal = useRemoval(token.id, name)
  return (
    <SettingRow
      title={
        <>
          <span className="truncate" title={name}>
            {name}
          </span>
          {token.scope === 'read' && <Tag>{t('tokens.scope.read')}</Tag>}
          <ExpiryTag expiresAt={token.expires_at} />
        </>
      }
      description={<TokenTimes token={token} />}
      actions={
        <Button
          size="sm"
          variant="ghost"
          loading={removal.isPending}
          aria-label={t('tokens.removeOf', { name })}
          onClick={removal.run}
        >
          {t('tokens.remove')}
        </Button>
      }
    />
  )
}

function ExpiryTag({ expiresAt }: { readonly expiresAt: number }) {
  const { t } = useTranslation('personal')
  const isExpired = expiresAt !== 0 && expiresAt <= secondsNow()
  return isExpired && <Tag tone="bad">{t('tokens.expired')}</Tag>
}

function TokenTimes({ token }: { readonly token: AccessTokenRow }) {
  const { t } = useTranslation('personal')
  const { created_at: createdAt, last_used_at: lastUsedAt, expires_at: expiresAt } = token
  return (
    <>
      {createdAt !== 0 && (
        <>
          {t('tokens.created')} <RelativeTime at={createdAt} day />
          {' · '}
        </>
      )}
      {lastUsedAt === 0 ? (
        t('tokens.neverUsed')
      ) : (
        <>
          {t('tokens.lastUsed')} <RelativeTime at={lastUsedAt} />
        </>
      )}
      {expiresAt !== 0 && (
        <>
          {' · '}
          {t('tokens.expires')} <RelativeTime at={expiresAt} day />
        </>
      )}
    </>
  )
}

function useRemoval(id: number, name: string) {
  const { t } = useTranslation('personal')
  const client = useQueryClient()
  return useConfirmedMutation(
    {
      title: t('tokens.removeTitle', { name }),
      description: t('tokens.removeDescription'),
      confirmLabel: t('tokens.remove'),
      danger: true,
    },
    {
      mutationFn: () => request(calls.accessTokens.remove, { params: { id } }),
      meta: { successMessage: t('tokens.removed', { name }) },
      onSuccess: () => client.invalidateQueries({ queryKey: accessTokensQuery.queryKey }),
    },
  )
}
