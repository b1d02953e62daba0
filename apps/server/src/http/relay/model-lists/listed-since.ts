/** Unix seconds. A fixed date: nobody upstream says when a model was made, and a changing one would defeat caches. */
export const listedSince = 1_626_777_600
