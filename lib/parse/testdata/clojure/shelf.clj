;; A shelf of books.

(ns shop.shelf
  "Keeps books."
  (:require [clojure.string :as str]
            [shop.store :as store :refer [put! take!]]
            shop.rack
            [clojure.test :refer :all])
  (:use [shop.util])
  (:import (java.util Date UUID)
           java.io.File))

(def limit 12)
(def ^:private secret "s")
(defonce state
  "What is on the shelf."
  (atom []))
(declare later)

; Adds a book.
; The shelf may be full.
(defn add
  "Adds a book to the shelf."
  ^Book [shelf ^String book]
  (when (full? shelf)
    (throw (ex-info "full" {:book book})))
  (store/put! shelf book)
  (let [n (count shelf)]
    (str/join "," (map title shelf))))

(defn- full?
  [shelf]
  (>= (count shelf) limit))

(defn sizes
  ([] (sizes 1))
  ([n] (range n)))

(defmacro with-shelf [binding & body]
  `(let ~binding ~@body))

(defprotocol Holder
  "Holds books."
  (hold [this book] "Takes one.")
  (drop-all [this]))

(defrecord Box [width height]
  Holder
  (hold [this book] (add this book))
  (drop-all [this] nil))

(deftype Pile [^:unsynchronized-mutable items])

(defmulti area :shape)
(defmethod area :circle [{:keys [r]}]
  (* Math/PI r r))

(extend-protocol Holder
  String
  (hold [this book] (str this book)))

(deftest adds-a-book
  (is (= 1 (count (add [] "a")))))

#?(:clj (defn only-jvm [] (->Box 1 2)))

(comment
  (add [] "b"))
