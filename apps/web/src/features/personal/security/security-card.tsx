import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from '../../../components/ui/button.tsx'
import { Card } from '../../../components/ui/card.tsx'
import { SettingRow } from '../setting-row.tsx'
import { AccessTokenRow } from './access-token-row.tsx'
import { PasswordDialog } from './password-dialog.tsx'
import { SecondFactorRow } from './second-factor-row.tsx'

/** What opens the account, apart from accounts elsewhere. */
export function SecurityCard() {
  const { t } = useTranslation('personal')
  const [changing, setChanging] = useState(false)
  return (
    <Card title={t('security.title')}>
      <SettingRow
        title={t('password.title')}
        description={t('password.description')}
        actions={
          <Button size="sm" onClick={() => setChanging(true)}>
            {t('password.change')}
          </Button>
        }
      />
      <SecondFactorRow />
      <AccessTokenRow />
      {changing && <PasswordDialog onClose={() => setChanging(false)} />}
    </Card>
  )
}
