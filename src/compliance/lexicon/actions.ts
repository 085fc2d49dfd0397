import type { Concepts } from "../phrases/parse-phrase.ts";

/** What an agent can have done. */
export function actionConcepts(): Concepts {
  return {
    done: "blocked | frozen | froze | sent | transferred | paid | cancelled | canceled | stopped | raised | increased | lowered | reduced | decreased | updated | changed | closed | opened | activated | deactivated | unlocked | locked | scheduled | moved | deposited | posted | submitted | filed | added | removed | enrolled | replaced | ordered | issued | reset | verified | booked | reversed | processed | approved | disputed | placed | renewed | saved | set | set up | done | completed | confirmed | registered | linked | unlinked | switched | shipped | mailed | released | refunded | credited | waived | redeemed | applied | converted | wired | swept | withdrawn | funded | reactivated | restored | cleared | recorded | noted | logged | arranged | reserved | extended | deferred | shut | terminated | turned off | turned on | put through | taken care of | on its way | on the way | handled | sorted | fixed | finished | executed | settled | amended | corrected | delivered | reported | suspended | paused | resumed | accepted | granted | upgraded | downgraded | consolidated | merged | split | renamed | sold | bought | purchased | cashed | stamped | certified | notarized | gone | live | active | off | on | effective",
  };
}
