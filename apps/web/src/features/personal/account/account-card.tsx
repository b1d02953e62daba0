import { roles, type User } from '@tollgate/api'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from '../../../components/ui/button.tsx'
import { Card, Stat } from '../../../components/ui/card.tsx'
import { Money } from '../../../components/ui/money.tsx'
import { Tag } from '../../../components/ui/tag.tsx'
import { formatInteger } from '../../../lib/format.ts'
import { GroupTag } from '../group-tag.tsx'
import { Models } from './models.tsx'
import { ProfileDialog } from './profile-dialog.tsx'

/** Who one is here, what is left, and which models one may call. */
export function AccountCard({ user }: { readonly user: User }) {
  const { t } = useTranslation('personal')
  const [editing, setEditing] = useState(false)
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
          <Button size="sm" onClick={() => setEditing(true)}>
            {t('profile.edit')}
          </Button>
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
      {editing && <ProfileDialog user={user} onClose={() => setEditing(false)} />}
    </Card>
  )
}

function RoleTag({ role }: { readonly role: number }) {
  const { t } = useTranslation('personal')
  if (role >= roles.root) return <Tag tone="accent">{t('role.root')}</Tag>
  if (role >= roles.admin) return <Tag tone="accent">{t('role.admin')}</Tag>
  return <Tag>{t('role.common')}</Tag>
}
