(ns shop.broken)

(defn first-one [x]
  (inc x)

;; Survives.
(defn second-one [x]
  (dec x))

)
