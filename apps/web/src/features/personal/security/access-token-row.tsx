import { useMutation } from '@tanstack/react-query'
import { calls } from '@tollgate/api'
import { useTranslation } from 'react-i18next'
import { Button } from '../../../components/ui/button.tsx'
import { CodeBlock } from '../../../components/ui/copy.tsx'
import { Dialog } from '../../../components/ui/dialog.tsx'
import { Notice } from '../../../components/ui/tag.tsx'
import { request } from '../../../lib/api-client.ts'
import { confirm } from '../../../lib/confirm.ts'
import { copyText } from '../../../lib/copy.ts'
import { toast } from '../../../lib/toast.ts'
import { SettingRow } from '../setting-row.tsx'

/** The token by which programs manage the account. Seen once: the server keeps its hash. */
export function AccessTokenRow() {
  const { t } = useTranslation('personal')
  const { mutate, data, isPending, reset } = useMutation({
    mutationFn: () => request(calls.accounts.createAccessTokenByGet),
    async onSuccess(token) {
      if (await copyText(token)) toast.success(t('accessToken.copied'))
    },
    gcTime: 0,
  })

  async function create(): Promise<void> {
    const isSure = await confirm({
      title: t('accessToken.askTitle'),
      description: t('accessToken.askDescription'),
      confirmLabel: t('accessToken.create'),
    })
    if (isSure) mutate()
  }

  return (
    <>
      <SettingRow
        title={t('accessToken.title')}
        description={t('accessToken.description')}
        actions={
          <Button size="sm" loading={isPending} onClick={() => void create()}>
            {t('accessToken.create')}
          </Button>
        }
      />
      {data !== undefined && (
        <Dialog
          open
          onClose={reset}
          title={t('accessToken.title')}
          footer={
            <Button variant="primary" onClick={reset}>
              {t('action.done')}
            </Button>
          }
        >
          <div className="flex flex-col gap-4">
            <Notice tone="warn">{t('accessToken.once')}</Notice>
            <CodeBlock code={data} label={t('accessToken.copy')} />
          </div>
        </Dialog>
      )}
    </>
  )
}
