import { useQuery } from '@tanstack/react-query'
import type { User } from '@tollgate/api'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from '../../../components/ui/button.tsx'
import { Card, Stat } from '../../../components/ui/card.tsx'
import { CodeBlock } from '../../../components/ui/copy.tsx'
import { Money } from '../../../components/ui/money.tsx'
import { QueryBoundary } from '../../../components/ui/query-boundary.tsx'
import { formatInteger } from '../../../lib/format.ts'
import { inviteCodeQuery } from '../api.ts'
import { TransferDialog } from './transfer-dialog.tsx'

/** The link that invites others, and what it has earned. */
export function InviteCard({ user }: { readonly user: User }) {
  const { t } = useTranslation('personal')
  const [transferring, setTransferring] = useState(false)
  const code = useQuery({ ...inviteCodeQuery, initialData: () => user.aff_code || undefined })
  return (
    <Card
      title={t('invite.title')}
      description={t('invite.description')}
      action={
        <Button size="sm" onClick={() => setTransferring(true)}>
          {t('invite.transfer')}
        </Button>
      }
    >
      <div className="flex flex-col gap-4">
        <div className="grid grid-cols-3 gap-4 max-sm:grid-cols-2">
          <Stat label={t('invite.pending')}>
            <Money quota={user.aff_quota} />
          </Stat>
          <Stat label={t('invite.total')}>
            <Money quota={user.aff_history_quota} />
          </Stat>
          <Stat label={t('invite.count')}>{formatInteger(user.aff_count)}</Stat>
        </div>
        <QueryBoundary query={code}>
          {(invitation) => (
            <CodeBlock
              code={`${window.location.origin}/register?aff=${encodeURIComponent(invitation)}`}
              label={t('invite.copy')}
            />
          )}
        </QueryBoundary>
      </div>
      {transferring && <TransferDialog earned={user.aff_quota} onClose={() => setTransferring(false)} />}
    </Card>
  )
}
