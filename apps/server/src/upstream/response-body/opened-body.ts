import type { BodyPiece } from '@tollgate/http'
import type { HttpResponse } from '@tollgate/http/client'

/** The part of a response by which its body is read. */
export type ResponseBody = Pick<HttpResponse, 'header' | 'read' | 'buffered'>

/** The body of a response whose first piece has been read: that piece comes once more, before what follows it. */
export function openedBody(response: ResponseBody, opening: BodyPiece): ResponseBody {
  let first: BodyPiece | undefined = opening
  const takeFirst = () => {
    const piece = first
    first = undefined
    return piece
  }
  return {
    header: (name) => response.header(name),
    read: async () => takeFirst() ?? (await response.read()),
    async buffered(limit) {
      const piece = takeFirst()
      if (piece === undefined) return response.buffered(limit)
      const { value = nothing } = piece
      const rest = piece.done ? nothing : await response.buffered(Math.max(limit - value.length, 0))
      const size = value.length + (rest?.length ?? 0)
      return rest === undefined || size > limit ? undefined : Buffer.concat([value, rest], size)
    },
  }
}

const nothing = new Uint8Array()
