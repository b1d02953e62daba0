import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { calls, type Invitation, roles } from '@tollgate/api'
import { Trash2 } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { IconButton } from '../../../components/ui/button.tsx'
import { FormSection } from '../../../components/ui/card.tsx'
import { Money } from '../../../components/ui/money.tsx'
import { QueryBoundary } from '../../../components/ui/query-boundary.tsx'
import { request } from '../../../lib/api/api-client.ts'
import { formatDateTime } from '../../../lib/format/format.ts'

const queryKey = ['invitations'] as const

/** The invitations that nobody has taken yet, each with its end and the way to revoke it. */
export function OpenInvitations() {
  const { t } = useTranslation('users')
  const query = useQuery({
    queryKey,
    queryFn: ({ signal }) => request(calls.invitations.list, { signal }),
  })
  return (
    <FormSection id="open-invitations" title={t('invite.open')}>
      <QueryBoundary query={query}>
        {(rows) =>
          rows.length === 0 ? (
            <p className="text-muted text-sm">{t('invite.none')}</p>
          ) : (
            <ul className="flex flex-col divide-y">
              {rows.map((row) => (
                <OpenInvitation key={row.id} row={row} />
              ))}
            </ul>
          )
        }
      </QueryBoundary>
    </FormSection>
  )
}

function OpenInvitation({ row }: { readonly row: Invitation }) {
  const { t } = useTranslation('users')
  const client = useQueryClient()
  const revoke = useMutation({
    mutationFn: () => request(calls.invitations.revoke, { params: { id: row.id } }),
    onSuccess: () => client.invalidateQueries({ queryKey }),
    meta: { successMessage: t('invite.revoked') },
  })
  const name = row.note || row.id
  return (
    <li className="flex items-center justify-between gap-3 py-2 text-sm">
      <span className="min-w-0">
        <span className="block truncate font-medium">{name}</span>
        <span className="block text-muted text-xs">
          {t(row.role === roles.admin ? 'role.admin' : 'role.common')} · {row.group}
          {row.quota > 0 && (
            <>
              {' · '}
              <Money quota={row.quota} single />
            </>
          )}
          {' · '}
          {t('invite.by', { name: row.inviter_name, time: formatDateTime(row.expires_at) })}
        </span>
      </span>
      <IconButton
        label={t('invite.revoke', { name })}
        icon={Trash2}
        loading={revoke.isPending}
        onClick={() => revoke.mutate()}
      />
    </li>
  )
}
