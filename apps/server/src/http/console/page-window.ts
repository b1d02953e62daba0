/** Which rows a page of a list that begins with page 1 has. However far away it is, the numbers stay whole. */
export function pageWindow({ p, page_size }: { readonly p: number; readonly page_size: number }) {
  return { offset: Math.min((p - 1) * page_size, Number.MAX_SAFE_INTEGER), limit: page_size }
}
