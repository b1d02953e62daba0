import { useMutation } from '@tanstack/react-query'
import { calls, type ListedUser } from '@tollgate/api'
import { requestContent } from '../../../lib/api/api-client.ts'
import { saveFile } from '../../../lib/browser/save-file.ts'

/** Hands everything that is stored about a user to the browser as one file. */
export function useExport({ id }: ListedUser): { readonly run: () => void; readonly pending: boolean } {
  const { mutate, isPending } = useMutation({
    async mutationFn() {
      const response = await requestContent(calls.userAdmin.export, { params: { id } })
      saveFile(`user-${id}.json`, await response.blob())
    },
  })
  return { run: () => mutate(), pending: isPending }
}
