import { useMutation } from '@tanstack/react-query'
import { calls } from '@tollgate/api'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from '../../../components/ui/button.tsx'
import { Card } from '../../../components/ui/card.tsx'
import { Checkbox } from '../../../components/ui/field/choice.tsx'
import { Notice } from '../../../components/ui/tag.tsx'
import { addressOf, request } from '../../../lib/api/api-client.ts'
import { downloadFrom } from '../../../lib/browser/save-file.ts'
import { secondsNow } from '../../../lib/server-clock.ts'
import { requestProof } from '../../../lib/session/reauthentication.ts'
import { isRoot, useUser } from '../../../lib/session/session.ts'

/** Shows the export to root alone. */
export function ExportEverything() {
  return isRoot(useUser()) ? <ExportCard /> : null
}

/** Downloads the whole installation in open formats, after a recent proof. */
function ExportCard() {
  const { t } = useTranslation('settings')
  const [withKeys, setWithKeys] = useState(false)
  const download = useMutation({
    async mutationFn(withKeys: boolean) {
      if (await isProven())
        downloadFrom(addressOf(calls.installation.export, { query: { with_keys: withKeys } }))
    },
  })
  return (
    <Card title={t('export.title')}>
      <div className="flex flex-col items-start gap-4">
        <p className="text-muted text-sm">{t('export.hint')}</p>
        <Checkbox
          label={t('export.withKeys')}
          hint={t('export.withKeysHint')}
          checked={withKeys}
          onCheckedChange={setWithKeys}
        />
        <Button loading={download.isPending} onClick={() => download.mutate(withKeys)}>
          {t('export.download')}
        </Button>
        {download.isSuccess && withKeys && <Notice tone="warn">{t('export.secret')}</Notice>}
      </div>
    </Card>
  )
}

/** The browser sends the download by itself, so that nobody is asked for a proof in the middle of it. */
const marginSeconds = 60

async function isProven(): Promise<boolean> {
  const { proven_until: until } = await request(calls.proofs.ways)
  return until - secondsNow() > marginSeconds || (await requestProof())
}
