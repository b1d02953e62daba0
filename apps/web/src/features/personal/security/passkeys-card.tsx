import { useQuery } from '@tanstack/react-query'
import type { Passkey } from '@tollgate/api'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from '../../../components/ui/button.tsx'
import { Card } from '../../../components/ui/card.tsx'
import { QueryBoundary } from '../../../components/ui/query-boundary.tsx'
import { passkeysQuery } from '../api.ts'
import { canMakePasskeys } from './passkey-api.ts'
import { PasskeyDialog } from './passkey-dialog.tsx'
import { PasskeyRow } from './passkey-row.tsx'

/** Devices that log one in by themselves. */
export function PasskeysCard() {
  const { t } = useTranslation('personal')
  const [adding, setAdding] = useState(false)
  const isPossible = canMakePasskeys()
  return (
    <Card
      title={t('passkey.title')}
      description={t('passkey.description')}
      action={
        isPossible && (
          <Button size="sm" onClick={() => setAdding(true)}>
            {t('passkey.add')}
          </Button>
        )
      }
    >
      <QueryBoundary query={useQuery(passkeysQuery)}>
        {(passkeys) => <PasskeyList passkeys={passkeys} />}
      </QueryBoundary>
      {!isPossible && <p className="mt-2 text-muted text-xs">{t('passkey.impossible')}</p>}
      {adding && <PasskeyDialog onClose={() => setAdding(false)} />}
    </Card>
  )
}

function PasskeyList({ passkeys }: { readonly passkeys: readonly Passkey[] }) {
  const { t } = useTranslation('personal')
  if (passkeys.length === 0) return <p className="text-muted text-sm">{t('passkey.none')}</p>
  return passkeys.map((passkey) => <PasskeyRow key={passkey.id} passkey={passkey} />)
}
